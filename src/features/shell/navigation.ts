import type { LinkProps } from '@tanstack/react-router'
import { House, type LucideIcon, NotebookText, ScrollText, Users } from 'lucide-react'
import type { UserPublic } from '@/client/types.gen'
import { hasCapabilities } from '@/data/api/current-user'

export interface NavLink {
  title: string
  url: NonNullable<LinkProps['to']>
  icon: LucideIcon
  /** Not active on pages below it. */
  exact?: boolean
  /** Pages below this one. */
  links?: Pick<NavLink, 'title' | 'url'>[]
}

export interface NavGroup {
  /** Absent if the group needs no name. */
  heading?: string
  links: NavLink[]
}

/** The sidebar's links for a user. */
export function navigationFor(user: UserPublic): NavGroup[] {
  const everyone: NavGroup = {
    links: [
      { title: 'Dashboard', url: '/', icon: House, exact: true },
      { title: 'Items', url: '/items', icon: NotebookText },
    ],
  }
  const admin: NavGroup = { heading: 'Admin', links: [{ title: 'Users', url: '/users', icon: Users }] }
  if (hasCapabilities(user)) admin.links.push({ title: 'Audit Log', url: '/audit', icon: ScrollText })
  return user.is_superuser ? [everyone, admin] : [everyone]
}
