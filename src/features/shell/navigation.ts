import type { LinkProps } from '@tanstack/react-router'
import { House, type LucideIcon, NotebookText, ScrollText, Users } from 'lucide-react'
import { type Needy, useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'

export interface NavLink extends Needy {
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
  links: readonly NavLink[]
}

const everyone: readonly NavLink[] = [
  { title: 'Dashboard', url: '/', icon: House, exact: true },
  { title: 'Items', url: '/items', icon: NotebookText },
]
const superusers: readonly NavLink[] = [
  { title: 'Users', url: '/users', icon: Users },
  { title: 'Audit Log', url: '/audit', icon: ScrollText, needs: 'administration' },
]

/** The sidebar's links for the reader. */
export function useNavigation(): NavGroup[] {
  const { is_superuser } = useCurrentUser()
  const admin: NavGroup = { heading: 'Admin', links: useOffered(superusers) }
  return [{ links: everyone }, ...(is_superuser ? [admin] : [])]
}
