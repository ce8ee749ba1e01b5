import { queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { type Answer, withTag } from './entity-tag'

/** The query of a single resource. */
export type ResourceQuery<Resource> = UseQueryOptions<Resource, Error, Resource, string[]>

/** A single resource with its entity tag. Opening its dialog reads it, unless it was just read or saved. */
export function resourceOptions<Resource extends object>(
  kind: string,
  id: string,
  read: (signal: AbortSignal) => Promise<Answer<Resource>>,
) {
  return queryOptions({
    queryKey: [kind, id],
    queryFn: async ({ signal }) => withTag(await read(signal)),
    staleTime: 3_000,
    refetchOnWindowFocus: false,
    // The entity tag belongs to the object that was read.
    structuralSharing: false,
  })
}
