import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isGone } from '@/data/api/errors'
import { ErrorPanel } from './error-panel'
import { useFailure } from './use-failure'

interface QueryBoundaryProps<Data> {
  query: Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** Shown if the back end does not have the resource; `null` for nothing. */
  absent: string | null
  /** Shown while the data loads. */
  waiting?: ReactNode
  children: (data: Data) => ReactNode
}

/** Renders the data of a query, or an error panel. */
export function QueryBoundary<Data>({ query, absent, waiting = null, children }: QueryBoundaryProps<Data>) {
  const failure = useFailure(query)
  if (query.data !== undefined) return children(query.data)
  if (failure === null) return waiting
  if (isGone(failure)) return absent && <p className="text-muted-foreground">{absent}</p>
  return <ErrorPanel error={failure} isPart pending={query.isFetching} onRetry={() => void query.refetch()} />
}
