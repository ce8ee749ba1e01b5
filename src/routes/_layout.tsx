import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet, redirect, useMatches } from '@tanstack/react-router'
import type { Crumb } from '@/components/breadcrumbs'
import { RouteError } from '@/components/route-error'
import { LoadingBar } from '@/features/shell/loading-bar'
import { logOut } from '@/features/shell/log-out'
import { Shell } from '@/features/shell/shell'
import { useReadiness } from '@/features/shell/use-readiness'
import { currentUserOptions } from '@/lib/api/current-user'
import { getToken } from '@/lib/session'

/** Everything for people who are signed in. */
export const Route = createFileRoute('/_layout')({
  beforeLoad: () => {
    if (getToken() === null) throw redirect({ to: '/login', replace: true })
  },
  loader: ({ context }) => context.queryClient.ensureQueryData(currentUserOptions),
  component: Layout,
  pendingComponent: () => <LoadingBar />,
  // In the place of the whole shell, and so of its `main`.
  errorComponent: (props) => (
    <main>
      <RouteError {...props} />
    </main>
  ),
})

function Layout() {
  useReadiness()
  const loaded = Route.useLoaderData()
  const { data: user = loaded } = useQuery(currentUserOptions)
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? '' })
  const home: Crumb = { label: 'Dashboard', to: '/' }
  return (
    <Shell
      key={user.id}
      user={user}
      crumbs={title === home.label ? [home] : [home, { label: title }]}
      onLogOut={logOut}
    >
      <Outlet />
    </Shell>
  )
}
