import { type Query, type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ThemeProvider } from 'next-themes'
import { StrictMode, type ComponentProps } from 'react'
import { afterSession, type LogInState } from './data/return-to'
import { currentUserOptions } from './data/api/current-user'
import { discardDraft, keepDraft, restoring } from './data/drafts'
import { getToken, onSessionChange, type SessionEvent, takeAtProvider } from './data/session'
import type { createAppRouter } from './router'

type AppRouter = ReturnType<typeof createAppRouter>

export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <ThemeProvider
      attribute="class"
      enableColorScheme={false}
      scriptProps={{ type: 'application/json' }}
      disableTransitionOnChange
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  )
}

/** Hydration requires the same root element in the build and in the browser. */
export function Root(props: ComponentProps<typeof App>) {
  return (
    <StrictMode>
      <App {...props} />
    </StrictMode>
  )
}

/** Handles changes of the session one after another. @returns a function that stops it */
export function followSession(queryClient: QueryClient, router: AppRouter): () => void {
  let last = Promise.resolve()
  return onSessionChange((event) => {
    last = last.then(() => resetForSession(event, queryClient, router))
    return last
  })
}

const ofSession = { predicate: ({ meta }: Query) => !meta?.isPublic }

/** Discards data of the old session and reruns the guards of routes, which navigate after log-in and log-out. */
async function resetForSession(event: SessionEvent, queryClient: QueryClient, router: AppRouter): Promise<void> {
  // The next user must not get a draft of this user.
  restoring.set(null)
  const user = queryClient.getQueryData(currentUserOptions.queryKey)
  if (event === 'expired' && user) keepDraft(user.id, router.state.location.href)
  // Unlike `clear`, this updates components that show the data. Unlike `resetQueries`, it sends no requests.
  for (const query of queryClient.getQueryCache().findAll(ofSession)) query.reset()
  queryClient.getMutationCache().clear()
  // While the first page loads, `state.matches` is empty, so the location is used.
  const { pathname } = router.latestLocation
  const matches = router.matchRoutes(router.latestLocation)
  const { search = {}, staticData: { dialogs = [] } = {} } = matches.at(-1) ?? {}
  const withoutDialogs = (given: object) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !dialogs.includes(name)))
  if (getToken() === null && matches.some(({ routeId }) => routeId === '/_layout')) {
    const page = { pathname, search: withoutDialogs(search) }
    const afterLogOut: LogInState = takeAtProvider() ? { reason: 'logged-out-here' } : {}
    const logInState = event === 'expired' ? afterSession(user, page) : afterLogOut
    await router.navigate({ to: '/login', replace: true, ignoreBlocker: true, state: { logInState } })
  } else if (Object.entries(search).some(([name, value]) => value !== undefined && dialogs.includes(name))) {
    // The previous user opened the dialog.
    await router.navigate({ to: '.', search: withoutDialogs, replace: true, ignoreBlocker: true })
  }
  await router.invalidate()
  if (getToken() !== null) return
  if (event === 'changed') discardDraft()
  queryClient.removeQueries(ofSession)
}
