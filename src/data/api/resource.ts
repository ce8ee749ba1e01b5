import { queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { toId } from '@/lib/list-search'
import type { Tag } from '../resources'
import { type ApiResponse, withTag } from './entity-tag'
import { ApiError } from './errors'

/** The query of a single resource. */
export type ResourceQuery<Resource> = UseQueryOptions<Resource>

/**
 * A single resource with its entity tag. Opening its dialog reads it, unless it was just read or saved. An id that is no
 * UUID is missing, without a request.
 */
export function resourceOptions<Resource extends object>(
  tag: Tag,
  id: string,
  read: (signal: AbortSignal) => Promise<ApiResponse<Resource>>,
) {
  return queryOptions({
    queryKey: [{ tags: [tag], id }] as readonly unknown[],
    queryFn: async ({ signal }) => {
      // Such as `export`, which is another URL.
      if (toId(id) === undefined) throw new ApiError({ url: '', status: 404, statusText: 'Not an id' }, undefined)
      return withTag(await read(signal))
    },
    staleTime: 3_000,
    refetchOnWindowFocus: false,
    // The entity tag belongs to the object that was read.
    structuralSharing: false,
  })
}
