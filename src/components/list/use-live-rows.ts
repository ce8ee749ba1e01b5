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
  /** The page as it is now, and when it was asked for. */
  page: RowsOf<Row>
  askedAt: number
  gone: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()
/** If more changed rows have left the page, they are dimmed instead. */
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

  const ifOf = (known: Learned<Row> | undefined, of: number) =>
    known?.queryHash === queryHash && known.of === of ? known : undefined
  const present = ifOf(learned, dataUpdatedAt)

  const markStale = useEffectEvent(() => void queryClient.invalidateQueries({ queryKey, refetchType: 'none' }))

  /** Further updates may begin and end while one reads, so each answer only adds to what is known by then. */
  const update = useEffectEvent(async (news: readonly Change[] | number): Promise<void> => {
    const before = queryClient.getQueryState<RowsOf<Row>>(queryKey)
    if (!before?.data) return
    const { data: rows, dataUpdatedAt: of } = before
    const changes = typeof news === 'number' ? null : news
    if (typeof news === 'number' && present && present.askedAt >= news) return
    const askedAt = Date.now()

    function learn(found: readonly Row[], gone: readonly string[], page?: RowsOf<Row>): void {
      // It was read again meanwhile.
      if (queryClient.getQueryState(queryKey)?.dataUpdatedAt !== of) return
      const byId = new Map(found.map((row) => [row.id, row]))
      const replace = (now: RowsOf<Row>) => ({ ...now, data: now.data.map((row) => byId.get(row.id) ?? row) })
      queryClient.setQueryData<RowsOf<Row>>(queryKey, (now) => now && replace(now), { updatedAt: of })
      // Rows that have come or left are seen by the next read.
      markStale()
      setLearned((last) => {
        const known = ifOf(last, of) ?? { page: rows, askedAt: of, gone: none }
        const now = page ? { page, askedAt } : { page: known.page, askedAt: known.askedAt }
        return { queryHash, of, ...now, gone: new Set([...known.gone, ...gone]) }
      })
    }

    const page = await queryClient.fetchQuery({ ...options, queryKey: [queryKey[0], 'now'], staleTime: 0, gcTime: 0 })
    // Nobody presses a row that does not exist.
    if (rows.data.length === 0) return void queryClient.setQueryData(queryKey, page)
    const versions = new Map(changes?.map(({ id, version }) => [id, version]))
    const onPage = new Set(page.data.map(({ id }) => id))
    const left = rows.data.map(({ id }) => id).filter((id) => !onPage.has(id) && (!changes || versions.has(id)))
    const isMany = changes !== null && left.length > MAX_LOOKED_FOR
    const gone = left.filter((id) => isMany || versions.get(id) === null)
    learn(page.data, gone, page)
    const missing = left.filter((id) => !gone.includes(id) && present?.gone.has(id) !== true)
    for (const id of missing.slice(0, MAX_LOOKED_FOR)) {
      try {
        learn([await queryClient.fetchQuery({ ...read(id), staleTime: 0 })], [])
      } catch (error) {
        if (isMissing(error)) learn([], [id])
      }
    }
  })

  useEffect(
    () =>
      watchList(queryHash, (news) => {
        // A failed read leaves the list as it is, until it is read for another reason.
        update(news).catch(() => markStale())
      }),
    [queryHash],
  )

  const ids = new Set(shown?.data.map(({ id }) => id))
  const isNew = present?.page.data.filter(({ id }) => !ids.has(id)).length ?? 0
  const more = present && shown ? present.page.count - shown.count + present.gone.size : 0
  // Otherwise, rows of the next page take the places of those that have left this one.
  const isWhole = shown?.data.length === shown?.count
  return {
    gone: present?.gone ?? none,
    /** The number of rows that came since. */
    newCount: isWhole ? isNew : Math.max(0, Math.min(isNew, more)),
    showNew: () => present && queryClient.setQueryData(queryKey, present.page),
  }
}
