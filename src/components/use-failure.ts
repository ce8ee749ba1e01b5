import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/** Why a query has no data, or `null`. It stays while the query reads again, so that its panel does, too. */
export function useFailure({ data, error }: Pick<UseQueryResult<unknown, unknown>, 'data' | 'error'>): unknown {
  const [failure, setFailure] = useState<unknown>(null)
  if (data !== undefined && failure !== null) setFailure(null)
  if (data === undefined && error !== null && error !== failure) setFailure(error)
  return failure
}
