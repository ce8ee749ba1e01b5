import { ChevronsUpDown, LogOut, Settings } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { UserPublic } from '@/client/types.gen'
import { Avatar } from '@/components/ui/avatar'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { initials } from '@/lib/initials'

interface UserMenuProps {
  user: UserPublic
  collapsed: boolean
  onChoose: () => void
  onLogOut: () => void
}

/** Who is signed in, and what concerns only them. */
export function UserMenu({ user, collapsed, onChoose, onLogOut }: UserMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label={collapsed ? user.full_name || user.email : undefined}
        className={clsx(
          'flex items-center gap-2 rounded-md text-left hover:bg-muted data-[state=open]:bg-muted',
          collapsed ? 'justify-center' : 'p-1.5',
        )}
      >
        <Avatar initials={initials(user)} />
        {!collapsed && (
          <>
            <span className="min-w-0 flex-1">
              {user.full_name && <span className="block truncate font-medium">{user.full_name}</span>}
              <span className="block truncate text-xs text-muted-foreground">{user.email}</span>
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          </>
        )}
      </DropdownMenuTrigger>
      <DropdownMenuContent
        side="top"
        align="start"
        className="w-56 max-w-(--radix-dropdown-menu-content-available-width)"
      >
        <div className="border-b px-2 pt-1 pb-2">
          {user.full_name && <p className="truncate font-medium">{user.full_name}</p>}
          <p className="truncate text-xs text-muted-foreground">{user.email}</p>
        </div>
        <DropdownMenuItem asChild className="mt-1">
          <Link to="/settings" onClick={onChoose}>
            <Settings aria-hidden />
            Settings
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={onLogOut}>
          <LogOut aria-hidden />
          Log out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
