import { queryOptions, useQuery } from '@tanstack/react-query'
import { rowName } from '@/lib/row-name'
import { type ListedResource, resources, type Tag } from '@/data/resources'

/** The resource of a tag. */
export function resourceOf(tag: Tag): ListedResource {
  const resource = resources.find((one) => one.tag === tag)
  if (!resource) throw new Error(`${tag} is no resource`)
  return resource
}

/** The first rows whose texts contain the words, or the newest ones without words. */
export const foundRowsOptions = (tag: Tag, q: string, limit: number) =>
  queryOptions({
    queryKey: [{ tags: [tag], found: q, limit }] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await resourceOf(tag).read({ query: { ...(q !== '' && { q }), limit }, signal })).data,
  })

/** The name of a row. It fails for one that is missing or of others. */
export const rowNameOptions = (tag: Tag, id: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], nameOf: id }] as readonly unknown[],
    queryFn: async ({ signal }) => rowName((await resourceOf(tag).readOne({ path: { id }, signal })).data),
  })

/** The name of a row; `undefined` until it is known, null if the row is missing or of others. */
export function useRowName(tag: Tag, id: string): string | null | undefined {
  const { data, isError } = useQuery({ ...rowNameOptions(tag, id), enabled: id !== '' })
  return isError ? null : data
}
