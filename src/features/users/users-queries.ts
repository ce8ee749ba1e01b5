import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import { usersReadUserById } from '@/client/sdk.gen'
import type { UsersReadUsersData } from '@/client/types.gen'
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

/** Counts the rows of a user, all at once. */
export function prefetchCounts(queryClient: QueryClient, id: string): void {
  for (const resource of resources) void queryClient.prefetchQuery(resourceCount(resource, id))
}
