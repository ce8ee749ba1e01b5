import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'

export type Filters<Search extends object> = ReturnType<typeof useFilters<Search>>

/** @param names the search parameters that filter, in their order in the URL */
export function useFilters<Search extends object>(search: Search, names: readonly (keyof Search)[]) {
  const router = useRouter()
  const searchBox = useRef<HTMLInputElement>(null)
  /** Changes search parameters, and goes to the first page. */
  const change = (changes: Partial<Search>, { replace } = { replace: false }) =>
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
    })
  const active = names.filter((name) => search[name] !== undefined)
  /** The search box gets the focus, because the button that was pressed disappears. */
  const remove = (filters: readonly (keyof Search)[]): void => {
    searchBox.current?.focus()
    change(Object.fromEntries(filters.map((name) => [name, undefined])) as Partial<Search>)
  }
  const filtered = active.filter((name) => name !== 'q').map((name) => String(name).replace(/_(from|to)$/, ''))
  return {
    change,
    /** The two ends of a range are one filter. */
    filterCount: new Set(filtered).size,
    remove,
    clear: () => remove(active),
    searchBox,
  }
}

type RangeIn<Schemas> = { [Name in keyof Schemas]: Name extends `${infer Field}_from` ? Field : never }[keyof Schemas]
type ValueOf<Search, Name> = Name extends keyof Search ? Search[Name] : undefined
type ValuesOf<Schema> = Schema extends { values: infer Values } ? Values : undefined

export type FilterProps<Schemas, Search extends object> = ReturnType<typeof filterProps<Schemas, Search>>

export function filterProps<Schemas, Search extends object>(
  schemas: Schemas,
  search: Search,
  { change, remove }: Pick<Filters<Search>, 'change' | 'remove'>,
) {
  const valueOf = <Name extends string>(name: Name) =>
    (search as Partial<Record<string, unknown>>)[name] as ValueOf<Search, Name>
  const set = (changes: object) => change(changes)
  return {
    search,
    change,
    /** A filter by one value, or by several values separated by commas. */
    one: <Name extends keyof Schemas & string>(name: Name) => ({
      value: valueOf(name),
      values: (schemas[name] as { values?: unknown }).values as ValuesOf<Schemas[Name]>,
      onChoose: (value: ValueOf<Search, Name>) => set({ [name]: value }),
    }),
    /** A filter by a range, such as `due_on` with `due_on_from` and `due_on_to`. */
    range: <Name extends RangeIn<Schemas> & string>(name: Name) => ({
      from: valueOf(`${name}_from`),
      to: valueOf(`${name}_to`),
      onChange: ({ from, to }: Record<'from' | 'to', ValueOf<Search, `${Name}_from`>>) =>
        set({ [`${name}_from`]: from, [`${name}_to`]: to }),
    }),
    /** A filter by the id of a row, which a link sets. */
    link: (name: keyof Schemas & keyof Search & string) => ({
      id: valueOf(name) as string | undefined,
      onClear: () => remove([name]),
    }),
  }
}
