import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  usersReadIdentitiesOptions,
  usersReadSecondFactorOptions,
  usersReadSessionsOptions,
  usersReadUsersOptions,
} from '@/client/@tanstack/react-query.gen'
import { usersReadUserById } from '@/client/sdk.gen'
import type { UsersReadUsersData } from '@/client/types.gen'
import { apiTokensOf } from '@/data/api/api-tokens'
import { instanceOptions } from '@/data/api/instance'
import { type ListedResource, resources } from '@/data/resources'
import { resourceOptions } from '@/data/api/resource'
import { hintedStaleTime } from '@/data/live/stale-time'

export type UsersQuery = NonNullable<UsersReadUsersData['query']>

// Separate from the page, so that a route can request rows while the page's code loads.

export const usersQuery = (query: UsersQuery, priority: RequestPriority = 'auto') => ({
  ...usersReadUsersOptions({ query, priority }),
  staleTime: hintedStaleTime(),
})

export const userResource = (id: string) =>
  resourceOptions('users', id, (signal) => usersReadUserById({ path: { user_id: id }, signal }))

/** How many rows of a resource a user has. */
export const resourceCount = ({ tag, read }: ListedResource, ownerId: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], owner_id: ownerId }],
    queryFn: async ({ signal }) => (await read({ query: { owner_id: ownerId, limit: 1 }, signal })).data.count,
    staleTime: hintedStaleTime(),
  })

export const secondFactorOf = (id: string) => usersReadSecondFactorOptions({ path: { user_id: id } })

export const identitiesOf = (id: string) => usersReadIdentitiesOptions({ path: { user_id: id } })

export const sessionsOf = (id: string) => usersReadSessionsOptions({ path: { user_id: id } })

/** Reads the parts of a user's page besides the account, all at once. */
export function prefetchUserParts(queryClient: QueryClient, id: string): void {
  for (const resource of resources) void queryClient.prefetchQuery(resourceCount(resource, id))
  void queryClient.prefetchQuery(sessionsOf(id))
  void queryClient.prefetchQuery(apiTokensOf(id))
  const instance = queryClient.getQueryData(instanceOptions.queryKey)
  if (!instance) void queryClient.prefetchQuery(instanceOptions)
  if (instance?.second_factor !== undefined || !instance) void queryClient.prefetchQuery(secondFactorOf(id))
  if (instance?.oidc) void queryClient.prefetchQuery(identitiesOf(id))
}
