import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import type { List, ListQuery, ListSearch, PageOf, SearchOf } from '@/data/api/list'
import { prefetchWhenIdle } from '@/data/prefetch'
import { pageCount } from '@/lib/paging'
import { rangeText } from '@/lib/text'
import { useFailure } from '../query-boundary'
import { type Filters, useFilters } from './filters'
import { useLiveRows } from './use-live-rows'

export type ListState<Row> = Omit<
  ReturnType<typeof useList<Row & { id: string }, ListQuery, object, unknown>>,
  'change'
>

/** @param asked the query of the URL; must be the same object until the query changes */
export function useList<Row extends { id: string }, Query extends ListQuery, Of, All>(
  { noun, tag: plural, filterNames, page: pageOptions }: List<Row, Query, Of, All>,
  search: SearchOf<Of>,
  asked: Query,
) {
  const { q = '', sort = '', page = 1 } = search
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const filters = useFilters<SearchOf<Of>>(search, filterNames)
  const { change } = filters as Filters<ListSearch>
  const rows = useQuery({ ...pageOptions(asked), placeholderData: keepPreviousData, retryOnMount: false })
  const { data, isPlaceholderData } = rows
  const live = useLiveRows(pageOptions(asked), rows)
  const isAnswered = data !== undefined && !isPlaceholderData
  /** The last answer, which stays on the screen while the next answer loads. */
  const [answer, setAnswer] = useState<{ query: Query; page: PageOf<Row> }>()
  if (isAnswered && (answer?.query !== asked || answer.page !== data)) setAnswer({ query: asked, page: data })
  // Controls update at once, rows at lower priority. Only another page, and a change from or to no rows, show at once.
  const later = useDeferredValue(answer)
  const isSamePage = later?.query.skip === answer?.query.skip
  const shown = isSamePage && later?.page.count && answer?.page.count ? later : answer
  const failure = useFailure(rows)

  const count = answer?.page.count ?? 0
  const isFiltered = answer !== undefined && filterNames.some((name) => name in answer.query)
  const lastPage = pageCount(count)
  const isPastEnd = isAnswered && page > lastPage
  useEffect(() => {
    if (isPastEnd) void navigate({ to: '.', search: (given) => ({ ...given, page: lastPage }), replace: true })
  }, [navigate, isPastEnd, lastPage])
  const isIdle = isAnswered && !isPastEnd && !rows.isFetching
  const prefetchNeighbours = useEffectEvent((query: Query) => {
    const { skip = 0, limit = 0 } = query
    const neighbours = [skip + limit, skip - limit].filter((start) => start >= 0 && start < count)
    return prefetchWhenIdle(
      queryClient,
      neighbours.map((start) => pageOptions({ ...query, skip: start }, 'low')),
    )
  })
  useEffect(() => (isIdle ? prefetchNeighbours(asked) : undefined), [asked, isIdle])
  return {
    ...filters,
    q,
    onSearch: (text: string | undefined) => change({ q: text }, { replace: true }),
    sort,
    onSort: (field: string | undefined) => change({ sort: field }),
    noun,
    plural,
    page: Math.min(page, lastPage),
    shownPage: shown?.query.skip,
    count,
    rows: data && shown?.page.data,
    /** Whether rows of another page or filter are shown until those of the URL arrive. */
    isPlaceholderData: data !== undefined && shown?.query !== asked,
    ...live,
    isFiltered,
    /** The range of shown rows, such as `51–100 of 5,012 users`. */
    status:
      data && shown ? rangeText(shown.query.skip ?? 0, shown.page.data.length, shown.page.count, noun, plural) : '',
    isReady: answer !== undefined,
    isEmpty: data?.count === 0 && answer !== undefined && !isFiltered,
    failure,
    isFetching: rows.isFetching,
    retry: () => void rows.refetch({ cancelRefetch: false }),
  }
}
