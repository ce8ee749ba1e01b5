import { ChevronsUpDown, Keyboard, LogOut, Settings, ShieldCheck } from 'lucide-react'
import { useTheme } from 'next-themes'
import { clsx } from 'clsx'
import { Menu } from '@/components/menu'
import { themes } from '@/components/themes'
import { Avatar } from '@/components/ui/avatar'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/data/api/current-user'
import { logOut } from '@/data/api/log-out'
import { initials } from '@/lib/initials'
import { paletteRequest } from './palette-control'

export interface UserMenuProps {
  collapsed: boolean
  onChoose: () => void
}

/** Its accessible name contains all visible text, including the initials (WCAG 2.5.3). */
export function UserMenu({ collapsed, onChoose }: UserMenuProps) {
  const user = useCurrentUser()
  const { theme, setTheme } = useTheme()
  const nameAndAddress = (
    <>
      {user.full_name && (
        <span className="block font-medium">
          <UserText show="one line">{user.full_name}</UserText>
        </span>
      )}{' '}
      <span className="block text-xs text-muted-foreground">
        <UserText show="one line">{user.email}</UserText>
      </span>
    </>
  )
  return (
    <Menu
      className={clsx(
        'flex items-center gap-2 rounded-md text-left hover:bg-muted data-[state=open]:bg-muted',
        collapsed ? 'justify-center pointer-coarse:h-11' : 'p-2',
      )}
      side="top"
      align="start"
      menuClassName="w-[max(14rem,var(--radix-dropdown-menu-trigger-width))] max-w-(--radix-dropdown-menu-content-available-width)"
      top={<div className="border-b px-2 pt-1 pb-2">{nameAndAddress}</div>}
      entries={[
        { label: 'Settings', icon: Settings, to: '/settings', onSelect: onChoose, className: 'mt-1' },
        { label: 'Security', icon: ShieldCheck, to: '/security', onSelect: onChoose, needs: 'administration' },
        {
          label: 'Keyboard shortcuts',
          icon: Keyboard,
          onSelect: (button) => {
            onChoose()
            paletteRequest.set({ kind: 'keys', opener: { current: button } })
          },
        },
        { label: 'Theme', value: theme, options: themes, onChoose: setTheme },
        { label: 'Log out', icon: LogOut, onSelect: logOut, className: 'mt-1' },
      ]}
    >
      <Avatar user={user} />
      <span className="sr-only">{initials(user)}</span>{' '}
      <span className={collapsed ? 'sr-only' : 'min-w-0 flex-1'}>{nameAndAddress}</span>
      {!collapsed && <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />}
    </Menu>
  )
}
