import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { savesData } from './browser/network'
import { RouteError } from './components/route-error'
import { routeTree } from './route-tree.gen'

/** @param history a memory history, for tests and prerendering */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultErrorComponent: RouteError,
    defaultPendingMs: 300,
    defaultPreload: savesData() ? false : 'intent',
    // The router always preloads again, because the query client decides which data is stale.
    defaultPreloadStaleTime: 0,
    // Parameters are text, because JSON would turn a reset token of digits into a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch,
    // Drops parameters that the route does not know.
    search: { strict: true },
    ...(history ? { history } : { scrollRestoration: true }),
  })
}

/** Leaves commas readable, as in `status=active,invited`. */
const paramText = (key: string, value: string): string =>
  new URLSearchParams({ [key]: value }).toString().replaceAll('%2C', ',')

/** Writes empty values without `=`, such as `?add`. */
function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  const parts = given.map(([key, value]) => (value === '' ? encodeURIComponent(key) : paramText(key, String(value))))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
