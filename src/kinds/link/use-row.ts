import { queryOptions, useQuery } from '@tanstack/react-query'
import { rowName } from '@/lib/row-name'
import { readRow } from '@/data/resources'
import type { Tag } from '@/lib/resources'

export const rowNameOptions = (tag: Tag, id: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], nameOf: id }] as readonly unknown[],
    queryFn: async ({ signal }) => rowName(await readRow(tag, id, signal)),
  })

/** The name of a row; `undefined` while it loads, null if the row is missing or belongs to another user. */
export function useRowName(tag: Tag, id: string): string | null | undefined {
  const { data, isError } = useQuery({ ...rowNameOptions(tag, id), enabled: id !== '' })
  return isError ? null : data
}
