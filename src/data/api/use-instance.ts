import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import {
  usersReadOwnIdentitiesOptions,
  usersReadOwnSecondFactorOptions,
  usersReadPasskeysOptions,
} from '@/client/@tanstack/react-query.gen'
import type { Instance, OidcProvider } from '@/client/types.gen'
import { hasCapabilities, useCurrentUser } from './current-user'
import { canUsePasskeys, instanceOptions } from './instance'

/** What the back end offers. Not asked of back ends without these capabilities. */
export function useInstance(): UseQueryResult<Partial<Instance>, unknown> {
  const enabled = hasCapabilities(useCurrentUser())
  return useQuery({ ...instanceOptions, enabled })
}

export const ownPasskeys = queryOptions(usersReadPasskeysOptions())

export const ownIdentities = queryOptions(usersReadOwnIdentitiesOptions())

/** Reads the own ways to log in that the back end offers, all at once. */
export async function prefetchOwnWays(queryClient: QueryClient): Promise<void> {
  await queryClient.prefetchQuery(instanceOptions)
  const { passkeys, second_factor, oidc } = queryClient.getQueryData(instanceOptions.queryKey) ?? {}
  if (passkeys && canUsePasskeys()) void queryClient.prefetchQuery(ownPasskeys)
  if (second_factor !== undefined) void queryClient.prefetchQuery(usersReadOwnSecondFactorOptions())
  if (oidc) void queryClient.prefetchQuery(ownIdentities)
}

/** The provider of company accounts, if the back end has one. */
export function useProvider(): OidcProvider | undefined {
  return useInstance().data?.oidc ?? undefined
}

/** The company accounts of the person, and whether there is a password. Not asked of a back end without a provider. */
export function useOwnIdentities() {
  const enabled = useProvider() !== undefined
  return useQuery({ ...ownIdentities, enabled })
}

/** Whether the account has a password; `undefined` while that is not known. */
export function useHasPassword(): boolean | undefined {
  const { isLoading } = useInstance()
  const query = useOwnIdentities()
  // Without an answer, the server knows.
  return isLoading || query.isLoading ? undefined : (query.data?.has_password ?? true)
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

export function useOwnSecondFactor() {
  const enabled = useHasSecondFactor()
  return useQuery({ ...usersReadOwnSecondFactorOptions(), enabled })
}

/** Whether the account has an authenticator app; `undefined` while that is not known. */
export function useHasApp(): boolean | undefined {
  const { isLoading, data } = useInstance()
  const enabled = data?.second_factor !== undefined
  // It may have changed on another device. If this fails, the server refuses the password.
  const query = useQuery({ ...usersReadOwnSecondFactorOptions(), enabled, staleTime: 0, retry: false })
  return isLoading || query.isLoading ? undefined : query.data?.totp === true
}
