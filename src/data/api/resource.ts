import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { isId } from '@/lib/search-params'
import { hintedStaleTime } from '../live/stale-time'
import type { Tag } from '@/lib/resources'
import { ApiError } from './errors'

export interface ApiResponse<Resource> {
  data: Resource
  response: Response
}

export type ResourceQuery<Resource> = UseQueryOptions<Resource>

/** Reads a resource unless it was just read or saved. An id that is no UUID fails without a request. */
export function resourceOptions<Resource extends object>(
  tag: Tag,
  id: string,
  read: (signal: AbortSignal) => Promise<ApiResponse<Resource>>,
) {
  return queryOptions({
    queryKey: [{ tags: [tag], id }] as readonly unknown[],
    queryFn: async ({ signal }) => {
      // A path such as `/items/export` is another operation.
      if (!isId(id)) throw new ApiError({ url: '', status: 404, statusText: 'Not an id' }, undefined)
      return withEditTime(await read(signal))
    },
    staleTime: hintedStaleTime(3_000),
    refetchOnWindowFocus: false,
  })
}

/** Adds the time of the last change from `Last-Modified`, in whole seconds. */
function withEditTime<Resource extends object>({ data, response }: ApiResponse<Resource>): Resource {
  const edited = Date.parse(response.headers.get('Last-Modified') ?? '')
  return Number.isNaN(edited) ? data : { ...data, edited_at: new Date(edited).toISOString() }
}

// The row in the newest list is shown until the resource is read. `initialData` would keep it after the session.
export function useResource<Resource extends object>(options: ResourceQuery<Resource>) {
  const queryClient = useQueryClient()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(options)
  return { data: findRow<Resource>(queryClient, options.queryKey, dataUpdatedAt) ?? data, error, isFetching, refetch }
}

/** The row in the newest list that contains it and was read after `since`. */
function findRow<Row extends object>(queryClient: QueryClient, [key]: QueryKey, since: number): Row | undefined {
  const { tags, id } = key as { tags: string[]; id: string }
  const lists = queryClient.getQueryCache().findAll({ queryKey: [{ tags }] })
  return lists
    .filter(({ state }) => state.dataUpdatedAt > since)
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .flatMap(({ state }) => rowsOf<Row & { id?: string }>(state.data))
    .find((row) => row.id === id)
}

/** The rows in an answer, which is a list, a search result or a single row. */
export function rowsOf<Row>(answer: unknown): Row[] {
  if (Array.isArray(answer)) return answer as Row[]
  const { data, id } = (answer ?? {}) as { data?: unknown; id?: string }
  return Array.isArray(data) ? (data as Row[]) : id === undefined ? [] : [answer as Row]
}

const keyOf = (resource: QueryKey): QueryKey => ['deleted', ...resource]

/** Remembers a deletion until the session ends, so that Back does not open the page of the row. */
export function rememberDeleted(queryClient: QueryClient, resource: QueryKey): void {
  const query = queryClient.getQueryCache().build(queryClient, { queryKey: keyOf(resource), gcTime: Infinity })
  query.setData(true)
}

export function isDeleted(queryClient: QueryClient, resource: QueryKey): boolean {
  return queryClient.getQueryData(keyOf(resource)) === true
}
