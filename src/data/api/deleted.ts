import type { QueryClient, QueryKey } from '@tanstack/react-query'

const keyOf = (resource: QueryKey): QueryKey => ['deleted', ...resource]

/** Remembers until the session ends that a resource was deleted here, so that Back does not open its page. */
export function rememberDeleted(queryClient: QueryClient, resource: QueryKey): void {
  const query = queryClient.getQueryCache().build(queryClient, { queryKey: keyOf(resource), gcTime: Infinity })
  query.setData(true)
}

export function isDeleted(queryClient: QueryClient, resource: QueryKey): boolean {
  return queryClient.getQueryData(keyOf(resource)) === true
}
