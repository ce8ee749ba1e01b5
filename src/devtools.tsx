import type { QueryClient } from '@tanstack/react-query'
import { ReactQueryDevtools } from '@tanstack/react-query-devtools'
import { TanStackRouterDevtools } from '@tanstack/react-router-devtools'
import { createRoot } from 'react-dom/client'
import type { createAppRouter } from './router'

/** Puts the developer tools below the application, so that they do not cover it. */
export function showDevtools(queryClient: QueryClient, router: ReturnType<typeof createAppRouter>): void {
  const place = document.createElement('aside')
  place.setAttribute('aria-label', 'Developer tools')
  place.style.cssText = 'display: flex; align-items: center; gap: 0.5rem; padding: 0.25rem'
  document.body.append(place)
  createRoot(place).render(
    <>
      <ReactQueryDevtools client={queryClient} buttonPosition="relative" />
      <TanStackRouterDevtools router={router} toggleButtonProps={{ style: { position: 'static' } }} />
    </>,
  )
}
