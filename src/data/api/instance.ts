import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { instanceReadInstanceOptions } from '@/client/@tanstack/react-query.gen'
import type { Instance } from '@/client/types.gen'
import { instanceOfPage, type PageInstance } from '../page-instance'

export const instanceOptions = queryOptions({
  ...instanceReadInstanceOptions(),
  staleTime: Infinity,
  gcTime: Infinity,
  meta: { isPublic: true },
})

const nothing: Partial<Instance> = {}

/**
 * For guest pages, whose bundle does not contain `useQuery`.
 * @param prerendered what the prerendered page shows of the instance, which hydration must match
 */
export function useKnownInstance(prerendered: () => PageInstance = () => nothing): Partial<Instance> {
  const queryClient = useQueryClient()
  const known = () => queryClient.getQueryData(instanceOptions.queryKey)
  return useSyncExternalStore(
    useCallback((onChange) => queryClient.getQueryCache().subscribe(onChange), [queryClient]),
    () => known() ?? instanceOfPage(),
    import.meta.env.SSR ? () => known() ?? nothing : prerendered,
  )
}

export const useOffersPasskeys = (): boolean => useKnownInstance().passkeys === true && canUsePasskeys()

/** Browsers offer passkeys only on https and localhost. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window
