import { type QueryClient, type QueryFunction, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query'
import {
  usersReadIdentitiesOptions,
  usersReadOwnIdentitiesOptions,
  usersReadOwnSecondFactorOptions,
  usersReadOwnSessionsOptions,
  usersReadOwnTokensOptions,
  usersReadPasskeysOptions,
  usersReadSecondFactorOptions,
  usersReadSessionsOptions,
  usersReadTokensOptions,
} from '@/client/@tanstack/react-query.gen'
import type { ApiTokenPublic, ApiTokensPublic } from '@/client/types.gen'
import { serverNow } from '../server-clock'
import { knownCapabilities, useCapabilities } from './capabilities'
import { instanceOptions } from './instance'
import { useInstance } from './use-instance'

/** The signed-in person, or a user by id. */
type OwnerId = 'me' | (string & {})

interface Options<Data> {
  queryKey: QueryKey
  queryFn?: (context: never) => Data | Promise<Data>
}

/** The generated operations for `me` and for a user have different types, but equal answers. */
const read = <Data>(options: Options<Data>) => options as { queryKey: QueryKey; queryFn: QueryFunction<Data> }

export const sessionsOf = (id: OwnerId) =>
  read(id === 'me' ? usersReadOwnSessionsOptions() : usersReadSessionsOptions({ path: { user_id: id } }))

export const apiTokensOf = (id: OwnerId) =>
  read(id === 'me' ? usersReadOwnTokensOptions() : usersReadTokensOptions({ path: { user_id: id } }))

export const identitiesOf = (id: OwnerId) =>
  read(id === 'me' ? usersReadOwnIdentitiesOptions() : usersReadIdentitiesOptions({ path: { user_id: id } }))

export const secondFactorOf = (id: OwnerId) =>
  read(id === 'me' ? usersReadOwnSecondFactorOptions() : usersReadSecondFactorOptions({ path: { user_id: id } }))

export const ownPasskeys = queryOptions(usersReadPasskeysOptions())

/** Prefetches in parallel the ways to log in of the signed-in person. */
export async function prefetchOwnWays(queryClient: QueryClient): Promise<void> {
  const offers = queryClient.prefetchQuery(instanceOptions)
  void queryClient.prefetchQuery(sessionsOf('me'))
  void queryClient.prefetchQuery(apiTokensOf('me'))
  await offers
  const capabilities = knownCapabilities(queryClient)
  if (capabilities.has('passkeys')) void queryClient.prefetchQuery(ownPasskeys)
  if (capabilities.has('second-factor')) void queryClient.prefetchQuery(secondFactorOf('me'))
  if (capabilities.has('company-accounts')) void queryClient.prefetchQuery(identitiesOf('me'))
}

/** Prefetches in parallel the ways to log in of a user. */
export function prefetchWaysOf(queryClient: QueryClient, id: string): void {
  const capabilities = knownCapabilities(queryClient)
  const isUnknown = queryClient.getQueryData(instanceOptions.queryKey) === undefined
  void queryClient.prefetchQuery(instanceOptions)
  void queryClient.prefetchQuery(sessionsOf(id))
  void queryClient.prefetchQuery(apiTokensOf(id))
  if (isUnknown || capabilities.has('second-factor')) void queryClient.prefetchQuery(secondFactorOf(id))
  if (capabilities.has('company-accounts')) void queryClient.prefetchQuery(identitiesOf(id))
}

export const isExpired = ({ expires_at }: ApiTokenPublic): boolean => Date.parse(expires_at) <= serverNow()

const hasLive = ({ data }: ApiTokensPublic): boolean => !data.every(isExpired)

/** Whether an account has tokens that a new password could end. */
export function useHasApiTokens(id: OwnerId): boolean {
  const enabled = useCapabilities().has('administration')
  return useQuery({ ...apiTokensOf(id), enabled, select: hasLive }).data === true
}

/** The company accounts of the person, and whether there is a password. */
export function useOwnIdentities() {
  const enabled = useCapabilities().has('company-accounts')
  return useQuery({ ...identitiesOf('me'), enabled })
}

/** Whether the account has a password; `undefined` while that is not known. */
export function useHasPassword(): boolean | undefined {
  const { isLoading } = useInstance()
  const query = useOwnIdentities()
  // If the read failed, the server decides.
  return isLoading || query.isLoading ? undefined : (query.data?.has_password ?? true)
}

/** Whether the account has an authenticator app; `undefined` while that is not known. */
export function useHasApp(): boolean | undefined {
  const { isLoading } = useInstance()
  const enabled = useCapabilities().has('second-factor')
  // The app may have been removed on another device. If the read fails, the server decides.
  const query = useQuery({ ...secondFactorOf('me'), enabled, staleTime: 0, retry: false })
  return isLoading || query.isLoading ? undefined : query.data?.totp === true
}
