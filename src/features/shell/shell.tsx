import { Link } from '@tanstack/react-router'
import { House, LogOut, NotebookText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { Logo } from '@/components/logo'
import { buttonClass } from '@/components/ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { initials } from '@/lib/initials'

const links = [
  { to: '/', label: 'Dashboard', icon: House, exact: true },
  { to: '/items', label: 'Items', icon: NotebookText, exact: false },
] as const

/** What surrounds every signed-in page: where one can go, and who one is. */
export function Shell({ user, onLogOut, children }: { user: UserPublic; onLogOut: () => void; children: ReactNode }) {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[16rem_1fr]">
      <div className="flex items-center justify-between gap-2 border-b bg-surface p-3 md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:justify-start md:border-r md:border-b-0">
        <Link to="/" className="rounded-md p-1 max-sm:hidden">
          <Logo />
        </Link>
        <nav aria-label="Main" className="flex gap-1 md:mt-4 md:flex-col">
          {links.map(({ to, label, icon: Icon, exact }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact }}
              className="flex h-9 items-center gap-2 rounded-md px-2.5 font-medium text-muted-foreground hover:bg-muted hover:text-foreground pointer-coarse:h-11 [&.active]:bg-muted [&.active]:text-foreground"
            >
              <Icon aria-hidden className="size-4" />
              {label}
            </Link>
          ))}
        </nav>
        <div className="md:mt-auto">
          <UserMenu user={user} onLogOut={onLogOut} />
        </div>
      </div>
      <main className="mx-auto w-full max-w-5xl p-4 md:p-8">{children}</main>
    </div>
  )
}

function UserMenu({ user, onLogOut }: { user: UserPublic; onLogOut: () => void }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={buttonClass('ghost', 'default', 'h-auto w-full justify-start px-1.5 py-1.5')}>
        <span
          aria-hidden
          className="grid size-8 shrink-0 place-items-center rounded-full bg-primary text-xs text-primary-foreground"
        >
          {initials(user).slice(0, 2)}
        </span>
        <span className="min-w-0 text-left max-md:sr-only">
          <span className="block truncate font-medium">{user.full_name}</span>
          <span className="block truncate text-xs font-normal text-muted-foreground">{user.email}</span>
        </span>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={onLogOut}>
          <LogOut aria-hidden />
          Log out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
