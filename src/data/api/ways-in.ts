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
import { serverNow } from './setup'
import { knownCapabilities, useCapabilities } from './capabilities'
import { instanceOptions } from './instance'
import { useInstance } from './use-instance'

type OwnerId = 'me' | (string & {})

interface Options<Data> {
  queryKey: QueryKey
  queryFn?: (context: never) => Data | Promise<Data>
}

// The generated operations for `me` and for a user have different types, but equal answers.
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

export async function prefetchWays(queryClient: QueryClient, id: OwnerId): Promise<void> {
  const offers = queryClient.prefetchQuery(instanceOptions)
  void queryClient.prefetchQuery(sessionsOf(id))
  void queryClient.prefetchQuery(apiTokensOf(id))
  await offers
  const capabilities = knownCapabilities(queryClient)
  if (id === 'me' && capabilities.has('passkeys')) void queryClient.prefetchQuery(ownPasskeys)
  if (capabilities.has('second-factor')) void queryClient.prefetchQuery(secondFactorOf(id))
  if (capabilities.has('company-accounts')) void queryClient.prefetchQuery(identitiesOf(id))
}

export const isExpired = ({ expires_at }: ApiTokenPublic): boolean => Date.parse(expires_at) <= serverNow()

const hasLive = ({ data }: ApiTokensPublic): boolean => !data.every(isExpired)

export function useHasApiTokens(id: OwnerId): boolean {
  const enabled = useCapabilities().has('administration')
  return useQuery({ ...apiTokensOf(id), enabled, select: hasLive }).data === true
}

export function useOwnIdentities() {
  const enabled = useCapabilities().has('company-accounts')
  return useQuery({ ...identitiesOf('me'), enabled })
}

export function useHasPassword(): boolean | undefined {
  const { isLoading } = useInstance()
  const query = useOwnIdentities()
  // After a failed read, the page assumes a password, and the server checks.
  return isLoading || query.isLoading ? undefined : (query.data?.has_password ?? true)
}

export function useHasApp(): boolean | undefined {
  const { isLoading } = useInstance()
  const enabled = useCapabilities().has('second-factor')
  // Always read, because the app may have been removed on another device. A failed read counts as no app.
  const query = useQuery({ ...secondFactorOf('me'), enabled, staleTime: 0, retry: false })
  return isLoading || query.isLoading ? undefined : query.data?.totp === true
}
