import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useIsWaitingForCode } from '@/components/lazy/lazy'
import { useDelayed } from '@/lib/use-delayed'

const DELAY_MS = 300

/** Whether the page has waited for code or first data for longer than the delay. Reading ahead does not count. */
export function useIsPageLoading(): boolean {
  const code = useRouterState({ select: ({ isLoading }) => isLoading })
  const data = useIsFetching({ predicate: (query) => query.state.status === 'pending' && query.isActive() }) > 0
  const part = useIsWaitingForCode()
  const href = useRouterState({ select: ({ location }) => location.href })
  return useDelayed(code || data || part, DELAY_MS, href)
}

/** A thin line at the top. Screen readers use the `aria-busy` of the page. @param delayed delays it by CSS */
export function LoadingBar({ delayed = false }: { delayed?: boolean }) {
  return (
    <div aria-hidden className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5 overflow-hidden">
      <div
        className="h-full w-1/4 animate-progress bg-primary"
        style={delayed ? { animationDelay: `${DELAY_MS}ms`, animationFillMode: 'backwards' } : undefined}
      />
    </div>
  )
}
