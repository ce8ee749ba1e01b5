import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, type ErrorComponentProps, notFound, redirect } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { RouteError } from '@/components/route-error'
import { PendingPage, ShellSkeleton } from '@/features/shell/shell-skeleton'
import { afterSession, fromPage } from '@/data/return-to'
import { currentUserOptions } from '@/data/api/current-user'
import { getToken } from '@/data/session'
import { readSidebarExpanded } from '@/features/shell/sidebar-cookie'

export const Route = createFileRoute('/_layout')({
  beforeLoad: async ({ location, matches, context }) => {
    if (getToken() !== null) {
      // This check precedes the requests of the page, because a 403 would end the session of a regular user.
      if (!matches.some(({ staticData }) => staticData.access === 'superuser')) return
      const user = await context.queryClient.ensureQueryData(currentUserOptions)
      if (user.is_superuser) return
      throw redirect({ to: '/', replace: true })
    }
    if (matches.some(({ routeId }) => routeId === '/_layout/$')) throw notFound()
    // The browser may have cleared the storage while this tab shows a session.
    const user = context.queryClient.getQueryData(currentUserOptions.queryKey)
    const logInState = user ? afterSession(user, location) : fromPage(location)
    throw redirect({ to: '/login', replace: true, state: { logInState } })
  },
  // Returns nothing, because the router would keep the data after the session.
  loader: async ({ context }) => void (await context.queryClient.ensureQueryData(currentUserOptions)),
  component: lazyPage(async () => (await import('@/features/shell/layout')).Layout),
  pendingComponent: () => (
    <ShellSkeleton expanded={readSidebarExpanded()}>
      <PendingPage />
    </ShellSkeleton>
  ),
  errorComponent: AccountError,
})

function AccountError(props: ErrorComponentProps) {
  const queryClient = useQueryClient()
  return (
    <main className="p-4 md:p-8">
      <RouteError {...props} recover={() => queryClient.ensureQueryData(currentUserOptions)} />
    </main>
  )
}
