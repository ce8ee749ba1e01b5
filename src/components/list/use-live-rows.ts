import { hashKey, type QueryKey, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { isMissing } from '@/data/api/errors'
import type { ResourceQuery } from '@/data/api/resource'
import { watchList } from '@/data/live/live'
import type { Change } from '@/data/live/read-events'

interface RowsOf<Row> {
  data: Row[]
  count: number
}

/** What a list has learned since its rows were read. */
interface Learned<Row> {
  /** Which rows it belongs to, and when they were read. */
  queryHash: string
  of: number
  /** The page as it is now. */
  page: RowsOf<Row>
  gone: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()
/** More rows that left the page are not looked for. */
const MAX_LOOKED_FOR = 10

/**
 * Updates the rows of a shown list where they stand, when they are changed elsewhere. Deleted ones stay until the list is
 * read again, and new ones are counted, so that nothing moves under a pointer.
 */
export function useLiveRows<Row extends { id: string }>(
  // oxlint-disable-next-line typescript/no-explicit-any -- as in useList
  options: UseQueryOptions<RowsOf<Row>, any, RowsOf<Row>, any>,
  read: (id: string) => ResourceQuery<Row>,
  { data: shown, dataUpdatedAt }: { data: RowsOf<Row> | undefined; dataUpdatedAt: number },
) {
  const queryClient = useQueryClient()
  const [learned, setLearned] = useState<Learned<Row>>()
  const queryKey = options.queryKey as QueryKey
  const queryHash = hashKey(queryKey)

  const isPresent = learned?.queryHash === queryHash && learned.of === dataUpdatedAt
  const present = isPresent ? learned : undefined

  const update = useEffectEvent(async (changes: readonly Change[] | null): Promise<void> => {
    const before = queryClient.getQueryState<RowsOf<Row>>(queryKey)
    if (!before?.data) return
    const { data: rows, dataUpdatedAt: of } = before
    const versions = new Map(changes?.map(({ id, version }) => [id, version]))
    const page = await queryClient.fetchQuery({ ...options, queryKey: [queryKey[0], 'now'], staleTime: 0, gcTime: 0 })
    const found = new Map(page.data.map((row) => [row.id, row]))
    const gone = new Set(present?.of === of ? present.gone : none)
    const missing: string[] = []
    for (const { id } of rows.data) {
      if (versions.get(id) === null) gone.add(id)
      else if (!found.has(id) && !gone.has(id) && (changes === null || versions.has(id))) missing.push(id)
    }
    for (const id of missing.slice(0, MAX_LOOKED_FOR)) {
      try {
        found.set(id, await queryClient.fetchQuery({ ...read(id), staleTime: 0 }))
      } catch (error) {
        if (isMissing(error)) gone.add(id)
      }
    }
    // It was read again meanwhile.
    if (queryClient.getQueryState(queryKey)?.dataUpdatedAt !== of) return
    // Nobody presses a row that does not exist.
    if (rows.data.length === 0) return void queryClient.setQueryData(queryKey, page)
    const data = rows.data.map((row) => found.get(row.id) ?? row)
    queryClient.setQueryData(queryKey, { ...rows, data }, { updatedAt: of })
    setLearned({ queryHash, of, page, gone })
  })

  const markStale = useEffectEvent(() => void queryClient.invalidateQueries({ queryKey, refetchType: 'none' }))

  useEffect(
    () =>
      watchList(queryHash, (changes) => {
        // A failed read leaves the list as it is, until it is read for another reason.
        update(changes).catch(() => markStale())
      }),
    [queryHash],
  )

  const ids = new Set(shown?.data.map(({ id }) => id))
  const isNew = present?.page.data.filter(({ id }) => !ids.has(id)).length ?? 0
  const more = present && shown ? present.page.count - shown.count + present.gone.size : 0
  return {
    gone: present?.gone ?? none,
    /** The number of rows that came since. */
    newCount: Math.max(0, Math.min(isNew, more)),
    showNew: () => present && queryClient.setQueryData(queryKey, present.page),
  }
}
