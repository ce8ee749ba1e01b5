import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { instanceReadInstanceOptions } from '@/client/@tanstack/react-query.gen'
import type { Instance } from '@/client/types.gen'

/** What the back end offers. It does not change, and is the same for everybody. */
export const instanceOptions = queryOptions({
  ...instanceReadInstanceOptions(),
  staleTime: Infinity,
  gcTime: Infinity,
  meta: { isPublic: true },
})

const nothing: Partial<Instance> = {}

/** What is known of it. For guest pages, whose files do not have the code of `useQuery`. */
export function useKnownInstance(): Partial<Instance> {
  const queryClient = useQueryClient()
  return useSyncExternalStore(
    useCallback((onChange) => queryClient.getQueryCache().subscribe(onChange), [queryClient]),
    () => queryClient.getQueryData(instanceOptions.queryKey) ?? nothing,
    // As the page was prerendered.
    () => nothing,
  )
}

/** Whether a guest can log in with a passkey. Back ends without passkeys omit the field. */
export function useOffersPasskeys(): boolean {
  return useKnownInstance().passkeys === true && canUsePasskeys()
}

/** Browsers have passkeys only on https and localhost. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window
}
