import { useRouter } from '@tanstack/react-router'
import { type RefObject, useCallback, useRef } from 'react'

export interface Filters<Search> {
  /** Changes search parameters, and goes to the first page. */
  change: (changes: Partial<Search>, options?: { replace: boolean }) => void
  isFiltered: boolean
  /** The two ends of a range are one filter. */
  filterCount: number
  clear: () => void
  searchBox: RefObject<HTMLInputElement | null>
}

/** @param names the search parameters that filter, in their order in the URL; must be stable */
export function useFilters<Search extends object>(search: Search, names: readonly (keyof Search)[]): Filters<Search> {
  const router = useRouter()
  const searchBox = useRef<HTMLInputElement>(null)
  const change = useCallback(
    (changes: Partial<Search>, { replace } = { replace: false }) =>
      void router.navigate({
        to: '.',
        search: (before) => {
          // The search text is written to the URL with a delay, so the box may have a newer one.
          const inOrder = Object.fromEntries(names.map((name) => [name, undefined]))
          const typed = searchBox.current ? { q: searchBox.current.value } : {}
          return { ...inOrder, ...before, ...typed, ...changes, page: undefined }
        },
        replace,
        resetScroll: false,
      }),
    [router, names],
  )
  const active = names.filter((name) => search[name] !== undefined)
  return {
    change,
    isFiltered: active.length > 0,
    filterCount: new Set(active.filter((name) => name !== 'q').map((name) => String(name).replace(/_(from|to)$/, '')))
      .size,
    clear: () => {
      searchBox.current?.focus()
      change(Object.fromEntries(active.map((name) => [name, undefined])) as Partial<Search>)
    },
    searchBox,
  }
}
