import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import { isSlow, savesData } from '../browser/network'
import { runWhenIdle } from './preload'
import { hasUnsavedText } from './drafts'

export const mayPrefetch = (): boolean => !savesData() && !(isSlow() && hasUnsavedText())

/** Reads missing data, one query after another, while the browser is idle. @returns a function that stops it */
export function prefetchWhenIdle(
  queryClient: QueryClient,
  // oxlint-disable-next-line typescript/no-explicit-any -- generated queries have types of their own
  queries: readonly FetchQueryOptions<any, any, any, any>[],
): () => void {
  let isStopped = false

  async function run(): Promise<void> {
    for (const query of queries) {
      if (isStopped || !mayPrefetch()) return
      await queryClient.prefetchQuery({ ...query, staleTime: Infinity })
    }
  }

  function cancelUnused(): void {
    for (const { queryKey } of queries)
      void queryClient.cancelQueries({ queryKey, exact: true, predicate: (query) => query.getObserversCount() === 0 })
  }

  if (mayPrefetch()) runWhenIdle(run)
  return () => {
    isStopped = true
    // Delayed, because a component that just mounted may use one of the queries.
    setTimeout(cancelUnused)
  }
}
