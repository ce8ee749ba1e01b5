import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { instanceReadInstanceOptions } from '@/client/@tanstack/react-query.gen'
import type { Instance } from '@/client/types.gen'
import { type LogInWays, waysOfPage } from '../page-instance'

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
  // As the page was prerendered.
  return useKnown(() => nothing, nothing)
}

/** How people log in, which /login knows from its first paint on. */
export function useLogInWays(): LogInWays {
  const queryClient = useQueryClient()
  const ofBuild = () => queryClient.getQueryData(instanceOptions.queryKey) ?? nothing
  return useKnown(import.meta.env.SSR ? ofBuild : waysOfPage, import.meta.env.SSR ? nothing : waysOfPage())
}

function useKnown(prerendered: () => Partial<Instance>, before: Partial<Instance>): Partial<Instance> {
  const queryClient = useQueryClient()
  return useSyncExternalStore(
    useCallback((onChange) => queryClient.getQueryCache().subscribe(onChange), [queryClient]),
    () => queryClient.getQueryData(instanceOptions.queryKey) ?? before,
    prerendered,
  )
}

/** Whether the page is not as it was prerendered any more. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
}

/** Whether people log in with passwords. Back ends that always do omit the field. */
export function useTakesPasswords(): boolean {
  return useKnownInstance().password_log_in !== false
}

/** Whether a guest can log in with a passkey. Back ends without passkeys omit the field. */
export function useOffersPasskeys(): boolean {
  return useKnownInstance().passkeys === true && canUsePasskeys()
}

/** Browsers have passkeys only on https and localhost. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window
}
