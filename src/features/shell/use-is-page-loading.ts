import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { LOADING_BAR_DELAY_MS } from '@/components/loading-bar'
import { useDelayed } from '@/data/use-delayed'

/** Whether the page has waited for code or first data for longer than the delay. Reading ahead does not count. */
export function useIsPageLoading(): boolean {
  const code = useRouterState({ select: ({ isLoading }) => isLoading })
  const data = useIsFetching({ predicate: (query) => query.state.status === 'pending' && query.isActive() }) > 0
  const href = useRouterState({ select: ({ location }) => location.href })
  return useDelayed(code || data, LOADING_BAR_DELAY_MS, href)
}
