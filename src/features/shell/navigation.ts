import { type LinkProps, useRouter } from '@tanstack/react-router'
import { FileText, House, type LucideIcon, ScrollText } from 'lucide-react'
import { type NeedsCapability, useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import { resources } from '@/data/resources'

export interface NavLink extends NeedsCapability {
  title: string
  url: NonNullable<LinkProps['to']>
  /** The default is the icon of the list. */
  icon?: LucideIcon
  links?: Pick<NavLink, 'title' | 'url'>[]
}

export interface NavGroup {
  heading?: string
  links: readonly NavLink[]
}

const everyone: readonly NavLink[] = [
  { title: 'Dashboard', url: '/', icon: House },
  ...resources.map(({ title, to }) => ({ title, url: to })),
]
const superusers: readonly NavLink[] = [
  { title: 'Users', url: '/users' },
  { title: 'Audit Log', url: '/audit', icon: ScrollText, needs: 'administration' },
]

export function useNavigation(): NavGroup[] {
  const { is_superuser } = useCurrentUser()
  const iconOf = useIcons()
  const withIcons = (links: readonly NavLink[]) =>
    links.map((link) => ({ ...link, icon: link.icon ?? iconOf(link.url) }))
  const admin: NavGroup = { heading: 'Admin', links: withIcons(useOffered(superusers)) }
  return [{ links: withIcons(everyone) }, ...(is_superuser ? [admin] : [])]
}

export function useIcons(): (path: string) => LucideIcon {
  const { routesByPath } = useRouter()
  return (path) => routesByPath[path as keyof typeof routesByPath].options.staticData?.icon ?? FileText
}
