import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import type { ListSearch } from '@/lib/list-search'
import { pageCount } from '@/lib/paging'
import { countText, rangeText } from '@/lib/range-text'
import { useFailure } from '../use-failure'
import { filtersOf, useListSearch } from './use-list-search'

interface ListOptions<Row, Query extends object> {
  search: ListSearch<Query>
  // oxlint-disable-next-line typescript/no-explicit-any -- generated queries have types of their own for errors and keys
  read: (query: Query) => UseQueryOptions<{ data: Row[]; count: number }, any, { data: Row[]; count: number }, any>
  /** Singular, as in `1 user`. */
  noun: string
  /** The plural, if it is not the noun with an `s`. */
  plural?: string
}

export type List<Row> = ReturnType<typeof useList<Row, object>>

/** A list with pages, whose URL has the filters, the sort and the page. */
export function useList<Row, Query extends { skip?: number; limit?: number; sort?: string }>(
  options: ListOptions<Row, Query>,
) {
  const { search, read, noun, plural = `${noun}s` } = options
  const navigate = useNavigate()
  const filters = useListSearch(search)
  const page = useSearch({ strict: false, select: (given: { page?: number | undefined }) => given.page ?? 1 })
  const rows = useQuery({ ...read(filters.query), placeholderData: keepPreviousData, retryOnMount: false })
  const { data, isPlaceholderData } = rows
  // While a request runs, the rows belong to the previous URL.
  const [shownQuery, setShownQuery] = useState<Query>()
  if (data !== undefined && !isPlaceholderData && shownQuery !== filters.query) setShownQuery(filters.query)
  // Controls update at once, and the rows with lower priority.
  const before = useDeferredValue(data?.data)
  const failure = useFailure(rows)

  const count = data?.count ?? 0
  const isReady = shownQuery !== undefined
  const isFiltered = isReady && filtersOf(shownQuery).length > 0
  const lastPage = pageCount(count)
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage
  useEffect(() => {
    if (isPastEnd) void navigate({ to: '.', search: (given) => ({ ...given, page: lastPage }), replace: true })
  }, [navigate, isPastEnd, lastPage])
  return {
    ...filters,
    noun,
    plural,
    page,
    pageCount: lastPage,
    /** All rows of the list, on all pages. */
    count,
    /** The rows of the page; `undefined` while there are none to show. */
    rows: data && (before && before.length > 0 ? before : data.data),
    /** The rows of another page or filter are shown while those of the URL load. */
    isOutdated: isPlaceholderData,
    /** Whether the shown rows are filtered. */
    isFiltered,
    /** Which rows are shown: `51–100 of 5,012 users`. */
    status: data ? rangeText(shownQuery?.skip ?? 0, data.data.length, count, noun, plural) : '',
    /** Rows were shown before, perhaps those of another URL. */
    isReady,
    /** There is nothing to list, and nothing is filtered. */
    isEmpty: data?.count === 0 && isReady && !isFiltered,
    failure,
    isFetching: rows.isFetching,
    retry: () => void rows.refetch(),
    countText: (many: number) => countText(many, noun, plural),
  }
}
