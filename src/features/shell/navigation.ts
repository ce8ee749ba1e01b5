import { type LinkProps, useRouter } from '@tanstack/react-router'
import { FileText, House, type LucideIcon, ScrollText } from 'lucide-react'
import { type Needy, useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import { resources } from '@/data/resources'

export interface NavLink extends Needy {
  title: string
  url: NonNullable<LinkProps['to']>
  icon: LucideIcon
  /** Whether it is not marked as current on pages below it. */
  exact?: boolean
  links?: Pick<NavLink, 'title' | 'url'>[]
}

export interface NavGroup {
  /** Absent if the group needs no name. */
  heading?: string
  links: readonly NavLink[]
}

/** Links whose icons are those of their lists. */
type Listed = Omit<NavLink, 'icon'> & Partial<Pick<NavLink, 'icon'>>

const everyone: readonly Listed[] = [
  { title: 'Dashboard', url: '/', icon: House, exact: true },
  ...resources.map(({ title, to }) => ({ title, url: to })),
]
const superusers: readonly Listed[] = [
  { title: 'Users', url: '/users' },
  { title: 'Audit Log', url: '/audit', icon: ScrollText, needs: 'administration' },
]

export function useNavigation(): NavGroup[] {
  const { is_superuser } = useCurrentUser()
  const iconOf = useIcons()
  const withIcons = (links: readonly Listed[]) =>
    links.map((link) => ({ ...link, icon: link.icon ?? iconOf(link.url) }))
  const admin: NavGroup = { heading: 'Admin', links: withIcons(useOffered(superusers)) }
  return [{ links: withIcons(everyone) }, ...(is_superuser ? [admin] : [])]
}

/** The icons of lists, which their routes have. */
export function useIcons(): (path: string) => LucideIcon {
  const { routesByPath } = useRouter()
  return (path) => routesByPath[path as keyof typeof routesByPath].options.staticData?.icon ?? FileText
}
