import { hashKey, type QueryKey, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { PageOf } from '@/data/api/list'
import { watchList } from '@/data/live/live'
import type { Change } from '@/data/live/read-events'

interface Learned<Row> {
  queryHash: string
  of: number
  page: PageOf<Row>
  /** Ids of rows that have left the page, and those of them that were deleted. */
  gone: ReadonlySet<string>
  deleted: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

/** Updates rows in place. New and removed rows wait for the next read, so that nothing moves under the pointer. */
export function useLiveRows<Row extends { id: string }>(
  // oxlint-disable-next-line typescript/no-explicit-any -- as in useList
  options: UseQueryOptions<PageOf<Row>, any, PageOf<Row>, any>,
  { data: shown, dataUpdatedAt }: { data: PageOf<Row> | undefined; dataUpdatedAt: number },
) {
  const queryClient = useQueryClient()
  const [learned, setLearned] = useState<Learned<Row>>()
  const queryKey = options.queryKey as QueryKey
  const queryHash = hashKey(queryKey)

  const ifOf = (known: Learned<Row> | undefined, of: number) =>
    known?.queryHash === queryHash && known.of === of ? known : undefined
  const present = ifOf(learned, dataUpdatedAt)

  const markStale = useEffectEvent(() => void queryClient.invalidateQueries({ queryKey, refetchType: 'none' }))

  /** @param changes undefined if changes may have been missed; then all rows that have left count as deleted */
  const update = useEffectEvent(async (changes: readonly Change[] | undefined): Promise<void> => {
    const before = queryClient.getQueryState<PageOf<Row>>(queryKey)
    if (!before?.data) return
    const { data: rows, dataUpdatedAt: of } = before
    const page = await queryClient.fetchQuery({ ...options, queryKey: [queryKey[0], 'now'], staleTime: 0, gcTime: 0 })
    // An empty list shows new rows at once, because nothing can move under the pointer.
    if (rows.data.length === 0) return void queryClient.setQueryData(queryKey, page)
    if (queryClient.getQueryState(queryKey)?.dataUpdatedAt !== of) return
    const byId = new Map(page.data.map((row) => [row.id, row]))
    const replace = (now: PageOf<Row>) => ({ ...now, data: now.data.map((row) => byId.get(row.id) ?? row) })
    queryClient.setQueryData<PageOf<Row>>(queryKey, (now) => now && replace(now), { updatedAt: of })
    // The next read replaces the rows that have left and adds the new ones.
    markStale()
    const versions = new Map(changes?.map(({ id, version }) => [id, version]))
    const left = rows.data.map(({ id }) => id).filter((id) => !byId.has(id) && (!changes || versions.has(id)))
    setLearned((last) => {
      const { gone = none, deleted = none } = ifOf(last, of) ?? {}
      return {
        queryHash,
        of,
        page,
        gone: new Set([...gone, ...left].filter((id) => !byId.has(id))),
        deleted: new Set([...deleted, ...left.filter((id) => !changes || versions.get(id) === null)]),
      }
    })
  })

  useEffect(
    () =>
      watchList(queryHash, (changes) => {
        // After a failed read, the list stays as it is until something else reads it.
        update(changes).catch(() => markStale())
      }),
    [queryHash],
  )

  const ids = new Set(shown?.data.map(({ id }) => id))
  const isNew = present?.page.data.filter(({ id }) => !ids.has(id)).length ?? 0
  const more = present && shown ? present.page.count - shown.count + present.deleted.size : 0
  // If there are further pages, rows of the next page take the places of deleted ones and are not new.
  const isWhole = shown?.data.length === shown?.count
  return {
    gone: present?.gone ?? none,
    newCount: isWhole ? isNew : Math.max(0, Math.min(isNew, more)),
    showNew: () => present && queryClient.setQueryData(queryKey, present.page),
  }
}
