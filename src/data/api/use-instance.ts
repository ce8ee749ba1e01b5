import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Instance } from '@/client/types.gen'
import { hasExtensions, useCurrentUser } from './current-user'
import { instanceOptions } from './instance'

/** What the back end offers. Not asked of back ends that have no extensions. */
export function useInstance(): UseQueryResult<Partial<Instance>, unknown> {
  const enabled = hasExtensions(useCurrentUser())
  return useQuery({ ...instanceOptions, enabled })
}
