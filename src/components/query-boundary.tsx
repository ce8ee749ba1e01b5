import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isGone, isMissing } from '@/data/api/errors'
import { ErrorPanel } from './error-panel'

interface QueryBoundaryProps<Data> {
  query: Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** The text if the back end does not have the resource; `null` shows nothing. */
  absent: string | null
  waiting?: ReactNode
  /** Whether the page has a heading of its own, also after an error. */
  isPart?: boolean
  children: (data: Data) => ReactNode
}

export function QueryBoundary<Data>(props: QueryBoundaryProps<Data>) {
  const { query, absent, waiting = null, isPart = true, children } = props
  const failure = useFailure(query)
  if (query.data !== undefined) return children(query.data)
  if (failure === null) return waiting
  if (isGone(failure)) return absent && <p className="text-muted-foreground">{absent}</p>
  return (
    <ErrorPanel
      error={failure}
      isPart={isPart}
      pending={query.isFetching}
      onRetry={() => void query.refetch({ cancelRefetch: false })}
    />
  )
}

/** The error of a query without data, or of a missing resource. Kept during a retry, so that the error panel stays. */
export function useFailure({ data, error }: Pick<UseQueryResult<unknown, unknown>, 'data' | 'error'>): unknown {
  const [failure, setFailure] = useState<unknown>(null)
  const current = data === undefined || isMissing(error) ? error : null
  if (current !== null && current !== failure) setFailure(current)
  if (current === null && data !== undefined && failure !== null) setFailure(null)
  return failure
}
