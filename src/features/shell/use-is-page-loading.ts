import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { LOADING_BAR_DELAY_MS } from '@/components/loading-bar'
import { useEffect, useState } from 'react'

/** Whether the page has waited for code or its first data for longer than the delay. Prefetching does not count. */
export function useIsPageLoading(): boolean {
  const code = useRouterState({ select: ({ isLoading }) => isLoading })
  const data = useIsFetching({ predicate: (query) => query.state.status === 'pending' && query.isActive() }) > 0
  const href = useRouterState({ select: ({ location }) => location.href })
  return useDelayed(code || data, LOADING_BAR_DELAY_MS, href)
}

/** Whether `active` has been true for the delay. @param cause another value restarts the delay */
function useDelayed(active: boolean, delayMs: number, cause: unknown): boolean {
  const [due, setDue] = useState(false)
  if (due && !active) setDue(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setDue(true), delayMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- restarts the delay
  }, [active, delayMs, cause])
  return due
}
