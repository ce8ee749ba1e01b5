import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { isMissing } from '@/data/api/errors'

/**
 * The error of a query without data, or of a resource that is not there any more. It is kept during a retry, so that its
 * panel stays.
 */
export function useFailure({ data, error }: Pick<UseQueryResult<unknown, unknown>, 'data' | 'error'>): unknown {
  const [failure, setFailure] = useState<unknown>(null)
  const current = data === undefined || isMissing(error) ? error : null
  if (current !== null && current !== failure) setFailure(current)
  if (current === null && data !== undefined && failure !== null) setFailure(null)
  return failure
}
