import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Crumb } from '@/features/shell/breadcrumbs'
import { CapabilitiesContext, useReadCapabilities } from '@/data/api/capabilities'
import { CurrentUserContext, currentUserOptions } from '@/data/api/current-user'
import { followChanges } from '@/data/live/live'
import { dropHandover, readHandover } from '@/data/handover'
import { usePageName } from '@/data/page-name'
import { preloadWhenIdle } from '@/data/preload'
import { readSidebarExpanded } from './sidebar-cookie'
import { Shell } from './shell'
import { ShellSkeleton } from './shell-skeleton'

const ignore = () => undefined

export function Layout() {
  const { data: user } = useQuery(currentUserOptions)
  const capabilities = useReadCapabilities(user)
  const { title = '', parent } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })
  const pageName = usePageName()
  useEffect(preloadWhenIdle, [])
  const queryClient = useQueryClient()
  const userId = user?.id
  useEffect(() => {
    if (userId === undefined) return
    const { oidc_error } = readHandover()
    // A code for the log-in page is useless in a session.
    dropHandover()
    if (oidc_error === undefined) return
    void import('@/data/provider-errors').then((loaded) => loaded.reportProviderError(queryClient, oidc_error), ignore)
  }, [queryClient, userId])
  useEffect(() => (userId === undefined ? undefined : followChanges(queryClient)), [queryClient, userId])
  if (!user) return <ShellSkeleton expanded={readSidebarExpanded()} />
  const home: Crumb = { label: 'Dashboard', to: '/' }
  return (
    <CurrentUserContext value={user}>
      <CapabilitiesContext value={capabilities}>
        <Shell
          key={user.id}
          crumbs={title === home.label ? [home] : [home, ...(parent ? [parent] : []), { label: pageName ?? title }]}
        >
          <Outlet />
        </Shell>
      </CapabilitiesContext>
    </CurrentUserContext>
  )
}
