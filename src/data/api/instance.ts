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

/** For guest pages, whose bundle does not contain `useQuery`. */
export function useKnownInstance(): Partial<Instance> {
  // The prerendered page knows nothing of the instance, and hydration must match it.
  return useKnown(() => nothing, nothing)
}

/** The server writes these into the page, so that the first paint of /login has them. */
export function useLogInMethods(): PageInstance {
  const queryClient = useQueryClient()
  const ofBuild = () => queryClient.getQueryData(instanceOptions.queryKey) ?? nothing
  return useKnown(import.meta.env.SSR ? ofBuild : instanceOfPage, import.meta.env.SSR ? nothing : instanceOfPage())
}

function useKnown(prerendered: () => Partial<Instance>, before: Partial<Instance>): Partial<Instance> {
  const queryClient = useQueryClient()
  return useSyncExternalStore(
    useCallback((onChange) => queryClient.getQueryCache().subscribe(onChange), [queryClient]),
    () => queryClient.getQueryData(instanceOptions.queryKey) ?? before,
    prerendered,
  )
}

export const useOffersPasskeys = (): boolean => useKnownInstance().passkeys === true && canUsePasskeys()

/** Browsers offer passkeys only on https and localhost. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window
