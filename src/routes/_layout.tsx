import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet, redirect, useMatches } from '@tanstack/react-router'
import type { Crumb } from '@/components/breadcrumbs'
import { RouteError } from '@/components/route-error'
import { Shell } from '@/features/shell/shell'
import { ShellSkeleton } from '@/features/shell/shell-skeleton'
import { readArrival, setArrival } from '@/lib/arrival'
import { CurrentUserContext, currentUserOptions } from '@/lib/api/current-user'
import { usePageName } from '@/lib/page-name'
import { getToken } from '@/lib/session'
import { readSidebarExpanded } from '@/lib/sidebar-cookie'

export const Route = createFileRoute('/_layout')({
  beforeLoad: ({ location: { pathname, search }, preload }) => {
    if (getToken() !== null) return
    if (!preload && pathname !== '/') setArrival({ ...readArrival(), wanted: { pathname, search } })
    throw redirect({ to: '/login', replace: true })
  },
  // Returns nothing, because the router keeps loader data after the session.
  loader: async ({ context }) => void (await context.queryClient.ensureQueryData(currentUserOptions)),
  component: Layout,
  pendingComponent: Skeleton,
  // Replaces the whole shell, including its `main`.
  errorComponent: (props) => (
    <main>
      <RouteError {...props} />
    </main>
  ),
})

/** The same skeleton as in index.html. */
function Skeleton() {
  return <ShellSkeleton expanded={readSidebarExpanded()} />
}

function Layout() {
  const { data: user } = useQuery(currentUserOptions)
  const { title = '', parent } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })
  const pageName = usePageName()
  if (!user) return <Skeleton />
  const home: Crumb = { label: 'Dashboard', to: '/' }
  return (
    <CurrentUserContext value={user}>
      <Shell
        key={user.id}
        crumbs={title === home.label ? [home] : [home, ...(parent ? [parent] : []), { label: pageName ?? title }]}
      >
        <Outlet />
      </Shell>
    </CurrentUserContext>
  )
}
