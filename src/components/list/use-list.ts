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
  const { query } = filters
  // While a request runs, the rows of the previous URL are shown.
  const [answer, setAnswer] = useState<{ query: Query; list: { data: Row[]; count: number } }>()
  const isNew = data !== undefined && !isPlaceholderData && (answer?.query !== query || answer.list !== data)
  if (isNew) setAnswer({ query, list: data })
  // Controls update at once, and the rows and their number with lower priority.
  const shown = useDeferredValue(answer) ?? answer
  const failure = useFailure(rows)

  const count = shown?.list.count ?? 0
  const isFiltered = shown !== undefined && filtersOf(shown.query).length > 0
  const isOutdated = data !== undefined && shown?.query !== query
  const lastPage = pageCount(count)
  const isPastEnd = data !== undefined && !isOutdated && page > lastPage
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
    rows: data && shown?.list.data,
    /** The rows of another page or filter are shown while those of the URL load. */
    isOutdated,
    /** Whether the shown rows are filtered. */
    isFiltered,
    /** Which rows are shown: `51–100 of 5,012 users`. */
    status: data && shown ? rangeText(shown.query.skip ?? 0, shown.list.data.length, count, noun, plural) : '',
    /** Rows were shown before, perhaps those of another URL. */
    isReady: shown !== undefined,
    /** There is nothing to list, and nothing is filtered. */
    isEmpty: data !== undefined && shown !== undefined && count === 0 && !isFiltered,
    failure,
    isFetching: rows.isFetching,
    retry: () => void rows.refetch(),
    countText: (many: number) => countText(many, noun, plural),
  }
}
