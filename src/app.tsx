import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ThemeProvider } from 'next-themes'
import { setArrival } from './lib/arrival'
import { currentUserOptions } from './lib/api/current-user'
import { toDialog, toDialogSearch } from './lib/dialog-search'
import { keepDraft, stopRestoring } from './lib/drafts'
import { getToken, onSessionChange, type SessionEvent } from './lib/session'
import type { createAppRouter } from './router'

type AppRouter = ReturnType<typeof createAppRouter>

/** The providers around the routes. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <ThemeProvider attribute="class" scriptProps={{ type: 'application/json' }} disableTransitionOnChange>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  )
}

/** Follows the session, also while the first page loads. @returns a function that stops it */
export function followSession(queryClient: QueryClient, router: AppRouter): () => void {
  return onSessionChange((event) => startOver(event, queryClient, router))
}

/** Drops what was read for the old session and lets the routes' guards decide again. They navigate after log-in and log-out. */
async function startOver(event: SessionEvent, queryClient: QueryClient, router: AppRouter): Promise<void> {
  stopRestoring()
  const user = queryClient.getQueryData(currentUserOptions.queryKey)
  if (event === 'expired') {
    if (user) keepDraft(user.id, router.state.location.href)
    setArrival({ reason: 'session-ended', ...(user && { userId: user.id }) })
  }
  // Unlike `clear`, this reaches the components that show the data; unlike `resetQueries`, it asks for nothing.
  for (const query of queryClient.getQueryCache().getAll()) query.reset()
  queryClient.getMutationCache().clear()
  // A dialog in the address was opened by the person before.
  if (toDialog(router.state.location.search))
    await router.navigate({
      to: '.',
      search: ((search: object) => ({ ...search, ...toDialogSearch(null) })) as never,
      replace: true,
      ignoreBlocker: true,
    })
  await router.invalidate()
  // Who logs out is done with the page.
  if (event === 'changed' && getToken() === null) setArrival({})
  if (getToken() === null) queryClient.clear()
}
