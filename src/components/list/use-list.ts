import { keepPreviousData, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { readAheadWhenIdle } from '@/data/read-ahead'
import { pageCount } from '@/lib/paging'
import { countText, rangeText } from '@/lib/range-text'
import { useFailure } from '../query-boundary'
import { type Filters, useFilters } from './use-filters'
import { useLiveRows } from './use-live-rows'

interface PageOf<Row> {
  data: Row[]
  count: number
}

// oxlint-disable-next-line typescript/no-explicit-any -- generated queries have types of their own for errors and keys
type PageQuery<Row> = UseQueryOptions<PageOf<Row>, any, PageOf<Row>, any>

/** The search parameters of every list. */
interface ListSearch {
  q?: string | undefined
  sort?: string | undefined
  page?: number | undefined
}

interface ListOptions<Row extends { id: string }, Query extends object, Search extends ListSearch> {
  search: Search
  /** The search parameters that are filters. */
  filterNames: readonly (keyof Search)[]
  /** The query for the API, which is the same object until it changes. */
  query: Query
  read: (query: Query, priority?: RequestPriority) => PageQuery<Row>
  /** Singular, as in `1 user`. */
  noun: string
  /** The plural, if it is not the noun with an `s`. */
  plural?: string
}

/** A page of the list, and what was asked for. */
interface Page<Row, Query> {
  query: Query
  list: PageOf<Row>
}

export type List<Row> = Omit<ReturnType<typeof useList<Row & { id: string }, object, ListSearch>>, 'change'>

/** A list with pages, whose URL has the filters, the sort and the page. */
export function useList<
  Row extends { id: string },
  Query extends { skip?: number; limit?: number; sort?: string },
  Search extends ListSearch,
>(options: ListOptions<Row, Query, Search>) {
  const { search, filterNames, query, read, noun, plural = `${noun}s` } = options
  const { q = '', sort = '', page = 1 } = search
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const filters = useFilters(search, filterNames)
  const { change } = filters as Filters<ListSearch>
  const rows = useQuery({ ...read(query), placeholderData: keepPreviousData, retryOnMount: false })
  const { data, isPlaceholderData } = rows
  const live = useLiveRows(read(query), rows)
  // While a request runs, the rows of the previous URL are shown.
  const [latest, setLatest] = useState<Page<Row, Query>>()
  const isNew = data !== undefined && !isPlaceholderData && (latest?.query !== query || latest.list !== data)
  if (isNew) setLatest({ query, list: data })
  // Controls update at once, and rows with their number with lower priority, unless there were none or are none. Another
  // page is what was pressed.
  const before = useDeferredValue(latest)
  const isSamePage = before?.query.skip === latest?.query.skip
  const shown = isSamePage && before?.list.count && latest?.list.count ? before : latest
  const failure = useFailure(rows)

  const count = latest?.list.count ?? 0
  const isFiltered = latest !== undefined && filterNames.some((name) => name in latest.query)
  const lastPage = pageCount(count)
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage
  useEffect(() => {
    if (isPastEnd) void navigate({ to: '.', search: (given) => ({ ...given, page: lastPage }), replace: true })
  }, [navigate, isPastEnd, lastPage])
  // What is shown is what the URL asks for.
  const isIdle = data !== undefined && !isPlaceholderData && !isPastEnd && !rows.isFetching
  const readNeighbours = useEffectEvent((asked: Query) => {
    const { skip = 0, limit = 0 } = asked
    const neighbours = [skip + limit, skip - limit].filter((start) => start >= 0 && start < count)
    return readAheadWhenIdle(
      queryClient,
      neighbours.map((start) => read({ ...asked, skip: start }, 'low')),
    )
  })
  useEffect(() => {
    if (isIdle) return readNeighbours(query)
    return undefined
  }, [query, isIdle])
  const statusOf = ({ query: { skip = 0 }, list }: Page<Row, Query>) =>
    rangeText(skip, list.data.length, list.count, noun, plural)
  return {
    ...filters,
    q,
    onSearch: (text: string | undefined) => change({ q: text }, { replace: true }),
    sort,
    onSort: (field: string | undefined) => change({ sort: field }),
    noun,
    plural,
    page,
    pageCount: lastPage,
    /** Another value for each page whose rows are shown. */
    shownPage: shown?.query.skip,
    /** All rows of the list, on all pages. */
    count,
    /** The rows of the page; `undefined` while there are none to show. */
    rows: data && shown?.list.data,
    /** The rows of another page or filter are shown while those of the URL load. */
    isPlaceholderData: data !== undefined && shown?.query !== query,
    /** The ids of rows that were deleted since the list was read. */
    gone: live.gone,
    /** The number of rows that came since. */
    newCount: live.newCount,
    showNew: live.showNew,
    /** Whether the list is filtered. */
    isFiltered,
    /** Which rows are shown: `51–100 of 5,012 users`. */
    status: data && shown ? statusOf(shown) : '',
    /** Rows were shown before, perhaps those of another URL. */
    isReady: latest !== undefined,
    /** There is nothing to list, and nothing is filtered. */
    isEmpty: data?.count === 0 && latest !== undefined && !isFiltered,
    failure,
    isFetching: rows.isFetching,
    retry: () => void rows.refetch({ cancelRefetch: false }),
    countText: (many: number) => countText(many, noun, plural),
  }
}
