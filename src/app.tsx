import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ThemeProvider } from 'next-themes'
import { arrivalFrom } from './lib/arrival'
import { currentUserOptions } from './lib/api/current-user'
import { discardDraft, keepDraft, restoring } from './lib/drafts'
import { getToken, onSessionChange, type SessionEvent } from './lib/session'
import type { createAppRouter } from './router'

type AppRouter = ReturnType<typeof createAppRouter>

export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <ThemeProvider attribute="class" scriptProps={{ type: 'application/json' }} disableTransitionOnChange>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  )
}

/** Reacts to changes of the session. @returns a function that stops it */
export function followSession(queryClient: QueryClient, router: AppRouter): () => void {
  return onSessionChange((event) => resetForSession(event, queryClient, router))
}

/** Discards data of the old session and reruns the routes' guards, which navigate after log-in and log-out. */
async function resetForSession(event: SessionEvent, queryClient: QueryClient, router: AppRouter): Promise<void> {
  // Another user may be logged in.
  restoring.set(null)
  const user = queryClient.getQueryData(currentUserOptions.queryKey)
  if (event === 'expired' && user) keepDraft(user.id, router.state.location.href)
  // Unlike `clear`, this updates components that show the data. Unlike `resetQueries`, it sends no requests.
  for (const query of queryClient.getQueryCache().getAll()) query.reset()
  queryClient.getMutationCache().clear()
  // The previous user opened the dialog in the URL.
  if (router.state.matches.some(({ search }) => 'dialog' in search && search.dialog !== undefined))
    await router.navigate({
      to: '.',
      search: (search) => ({ ...search, dialog: undefined }),
      replace: true,
      ignoreBlocker: true,
    })
  if (getToken() === null && router.state.matches.some(({ routeId }) => routeId === '/_layout')) {
    const from = arrivalFrom(router.state.location)
    const arrival = { reason: 'session-ended', ...(user && { userId: user.id }), ...from } as const
    // After a log-out, the page is not offered again.
    const state = event === 'expired' ? { arrival } : {}
    await router.navigate({ to: '/login', replace: true, ignoreBlocker: true, state })
  }
  await router.invalidate()
  if (getToken() !== null) return
  if (event === 'changed') discardDraft()
  queryClient.clear()
}
