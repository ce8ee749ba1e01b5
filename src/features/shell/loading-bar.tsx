import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useIsWaitingForCode } from '@/components/on-demand'
import { useDelayed } from '@/lib/use-delayed'

const DELAY_MS = 300

/** Whether the page is waiting for code, or for data that it does not have yet, and has been for long enough to say so. */
export function useIsPageLoading(): boolean {
  const code = useRouterState({ select: ({ isLoading }) => isLoading })
  const data = useIsFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0
  const part = useIsWaitingForCode()
  return useDelayed(code || data || part, DELAY_MS)
}

/** A thin line over the page; the page itself says so with `aria-busy`. @param delayed it waits by itself before it shows */
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
