import { useRouter, useSearch } from '@tanstack/react-router'
import { type RefObject, useCallback, useRef } from 'react'
import type { ListSearch } from '@/lib/list-search'

/** Values of search parameters; `undefined` removes one. */
type Changes = Record<string, string | undefined>

/** The filters of a list. Their only state is the URL. */
export interface ListFilters<Query> {
  /** The query for the API, which is the same object until it changes. */
  query: Query
  /** The value of a parameter; empty without one. */
  valueOf: (name: string) => string
  /** Changes filters, and opens the first page. */
  change: (changes: Changes, options?: { replace: boolean }) => void
  isFiltered: boolean
  /** The number of active filters besides the search text. */
  filterCount: number
  /** Removes all filters, and focuses the search box. */
  clear: () => void
  searchBox: RefObject<HTMLInputElement | null>
}

interface PageParameters {
  skip?: number
  limit?: number
  sort?: string
}

/** Query parameters that are filters. */
export function filtersOf({ skip, limit, sort, ...filters }: PageParameters): string[] {
  return Object.keys(filters)
}

/** @param list defined at module level */
export function useListSearch<Query extends object>({ toSearch, toQuery }: ListSearch<Query>): ListFilters<Query> {
  const router = useRouter()
  const searchBox = useRef<HTMLInputElement>(null)
  const query = useSearch({
    strict: false,
    structuralSharing: true,
    select: (search) => toQuery({ ...search }) as Record<string, string | number>,
  })

  const change = useCallback(
    (changes: Changes, { replace } = { replace: false }) =>
      void router.navigate({
        to: '.',
        search: (search) => {
          // The text may not be in the URL yet.
          const typed = searchBox.current ? { q: searchBox.current.value } : {}
          return { ...search, ...toSearch({ ...search, ...typed, ...changes }), page: undefined }
        },
        replace,
        resetScroll: false,
      }),
    [toSearch, router],
  )

  const filters = filtersOf(query)
  const inUrl = toSearch(query) as Record<string, unknown>
  return {
    query: query as Query,
    valueOf: (name) => String(query[name] ?? ''),
    change,
    isFiltered: filters.length > 0,
    filterCount: filters.filter((name) => name !== 'q' && inUrl[name] !== undefined).length,
    clear: () => {
      searchBox.current?.focus()
      change(Object.fromEntries(filters.map((name) => [name, undefined])))
    },
    searchBox,
  }
}
