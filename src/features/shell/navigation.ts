import type { LinkProps } from '@tanstack/react-router'
import { House, type LucideIcon, NotebookText, ScrollText, Users } from 'lucide-react'
import type { UserPublic } from '@/client/types.gen'
import { hasExtensions } from '@/data/api/current-user'

export interface NavItem {
  title: string
  url: NonNullable<LinkProps['to']>
  icon: LucideIcon
  /** Not active on pages below it. */
  exact?: boolean
  /** Pages below this one. */
  items?: Pick<NavItem, 'title' | 'url'>[]
}

export interface NavGroup {
  /** Absent if the group needs no name. */
  heading?: string
  items: NavItem[]
}

/** The sidebar's links for a user. */
export function navigationFor(user: UserPublic): NavGroup[] {
  const everyone: NavGroup = {
    items: [
      { title: 'Dashboard', url: '/', icon: House, exact: true },
      { title: 'Items', url: '/items', icon: NotebookText },
    ],
  }
  const admin: NavGroup = { heading: 'Admin', items: [{ title: 'Users', url: '/users', icon: Users }] }
  if (hasExtensions(user)) admin.items.push({ title: 'Audit Log', url: '/audit', icon: ScrollText })
  return user.is_superuser ? [everyone, admin] : [everyone]
}
