import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { AuthFrame } from '@/features/auth/auth-frame'
import { currentUserOptions } from '@/data/api/current-user'
import { instanceOptions } from '@/data/api/instance'
import { getToken } from '@/data/session'

export const Route = createFileRoute('/_auth')({
  beforeLoad: async ({ location, matches, context }) => {
    if (getToken() === null) return
    // A user who resets a password may have an expired session, and must not lose the link.
    const link = matches.findLast(({ search }) => 'token' in search && search.token !== undefined)
    const readUser = () => context.queryClient.fetchQuery({ ...currentUserOptions, staleTime: 0 })
    if (link && !(await readUser().catch(() => null))) return
    // Both pages offer to log out and use another account.
    if (link?.routeId === '/_auth/accept-invitation' || link?.routeId === '/_auth/confirm-email') return
    const { logInState } = location.state
    const { pathname, search = {} } = logInState?.returnTo ?? {}
    // The user has opened a link to confirm an address, and had to log in first.
    if (pathname === '/confirm-email') throw redirect({ to: pathname, search, replace: true })
    throw redirect({ to: '/', replace: true, state: { logInState } })
  },
  // Not awaited, because the page is prerendered without the instance.
  loader: ({ context }) => {
    if (!import.meta.env.SSR) void context.queryClient.prefetchQuery({ ...instanceOptions, retry: false })
  },
  component: () => (
    <AuthFrame>
      <Outlet />
    </AuthFrame>
  ),
})
