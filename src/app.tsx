import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ThemeProvider } from 'next-themes'
import { currentUserOptions } from './lib/api/current-user'
import { keepDraft, stopRestoring } from './lib/drafts'
import { getToken, onSessionChange } from './lib/session'
import type { createAppRouter } from './router'

/** The providers around the routes. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: ReturnType<typeof createAppRouter> }) {
  return (
    <ThemeProvider attribute="class" scriptProps={{ type: 'application/json' }} disableTransitionOnChange>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  )
}

/**
 * Has the application follow the session from now on, also while its first page is being loaded.
 * @returns how to stop it
 */
export function followSession(queryClient: QueryClient, router: ReturnType<typeof createAppRouter>): () => void {
  return onSessionChange(() => void startOver(queryClient, router))
}

/**
 * The guards of the routes decide again where this person belongs; nothing that was read for one session is kept for
 * the next. The cache of a session that ended goes last: the page it left must not ask again.
 */
async function startOver(queryClient: QueryClient, router: ReturnType<typeof createAppRouter>): Promise<void> {
  stopRestoring()
  const user = queryClient.getQueryData(currentUserOptions.queryKey)
  if (user && getToken() === null) keepDraft(user.id, router.state.location.href)
  await queryClient.cancelQueries()
  if (getToken() !== null) queryClient.clear()
  await router.invalidate()
  if (getToken() === null) queryClient.clear()
}
