import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Instance } from '@/client/types.gen'
import { hasCapabilities, useCurrentUser } from './current-user'
import { instanceOptions } from './instance'

/** What the back end offers. Not asked of back ends without these capabilities. */
export function useInstance(): UseQueryResult<Partial<Instance>, unknown> {
  const enabled = hasCapabilities(useCurrentUser())
  return useQuery({ ...instanceOptions, enabled })
}
