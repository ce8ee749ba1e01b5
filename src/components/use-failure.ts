import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/** The error of a query without data, or `null`. It is kept during a retry, so that its panel stays. */
export function useFailure({ data, error }: Pick<UseQueryResult<unknown, unknown>, 'data' | 'error'>): unknown {
  const [failure, setFailure] = useState<unknown>(null)
  if (data !== undefined && failure !== null) setFailure(null)
  if (data === undefined && error !== null && error !== failure) setFailure(error)
  return failure
}
