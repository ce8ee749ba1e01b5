import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Instance, OidcProvider } from '@/client/types.gen'
import { hasCapabilities, useCurrentUser } from './current-user'
import { canUsePasskeys, instanceOptions } from './instance'

/** What the back end offers. Not asked of back ends without these capabilities. */
export function useInstance(): UseQueryResult<Partial<Instance>, unknown> {
  const enabled = hasCapabilities(useCurrentUser())
  return useQuery({ ...instanceOptions, enabled })
}

/** The provider of company accounts, if the back end has one. */
export function useProvider(): OidcProvider | undefined {
  return useInstance().data?.oidc ?? undefined
}

/** Whether links are mailed, and not handed over. Back ends that hand none over omit the field. */
export function useHasMail(): boolean {
  return useInstance().data?.mail !== false
}

/** Whether passkeys can be used here. */
export function useHasPasskeys(): boolean {
  return useInstance().data?.passkeys === true && canUsePasskeys()
}

/** Whether the back end has two-step log-in. */
export function useHasSecondFactor(): boolean {
  return useInstance().data?.second_factor !== undefined
}
