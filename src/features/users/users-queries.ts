import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ListedResource, resources } from '@/data/resources'
import { hintedStaleTime } from '@/data/live/stale-time'

export const resourceCount = ({ tag, read }: ListedResource, ownerId: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], owner_id: ownerId }],
    queryFn: async ({ signal }) => (await read({ query: { owner_id: ownerId, limit: 1 }, signal })).data.count,
    staleTime: hintedStaleTime(),
  })

export function prefetchCounts(queryClient: QueryClient, id: string): void {
  for (const resource of resources) void queryClient.prefetchQuery(resourceCount(resource, id))
}
