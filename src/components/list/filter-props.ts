import type { ListState } from './use-list'

type RangeIn<Filters> = { [Name in keyof Filters]: Name extends `${infer Field}_from` ? Field : never }[keyof Filters]
type ValueOf<Search, Name> = Name extends keyof Search ? Search[Name] : undefined
type ValuesOf<Filter> = Filter extends { values: infer Values } ? Values : undefined

export interface FilterProps<Filters, Search> {
  search: Search
  change: (changes: Partial<Search>) => void
  /** The attributes of a filter by one value, or by several values separated by commas. */
  one: <Name extends keyof Filters & string>(
    name: Name,
  ) => {
    value: ValueOf<Search, Name>
    values: ValuesOf<Filters[Name]>
    onChoose: (value: ValueOf<Search, Name>) => void
  }
  /** The attributes of a filter by a range, such as `due_on` with `due_on_from` and `due_on_to`. */
  range: <Name extends RangeIn<Filters> & string>(
    name: Name,
  ) => Ends<ValueOf<Search, `${Name}_from`>> & { onChange: (ends: Ends<ValueOf<Search, `${Name}_from`>>) => void }
  /** The attributes of a filter by the id of a row, which a link sets. */
  link: <Name extends keyof Filters & string>(
    name: Name,
  ) => { id: string | undefined; filters: Pick<ListState<unknown>, 'searchBox'>; onClear: () => void }
}

interface Ends<Value> {
  from: Value
  to: Value
}

export function filterProps<Filters, Search extends object>(
  filters: Filters,
  search: Search,
  list: { change: (changes: Partial<Search>) => void } & Pick<ListState<unknown>, 'searchBox'>,
): FilterProps<Filters, Search> {
  const { change } = list
  const given = search as Partial<Record<string, never>>
  const set = (changes: object) => change(changes)
  return {
    search,
    change,
    one: (name) => ({
      value: given[name] as never,
      values: (filters[name] as { values?: unknown }).values as never,
      onChoose: (value) => set({ [name]: value }),
    }),
    range: (name) => ({
      from: given[`${name}_from`] as never,
      to: given[`${name}_to`] as never,
      onChange: ({ from, to }) => set({ [`${name}_from`]: from, [`${name}_to`]: to }),
    }),
    link: (name) => ({ id: given[name], filters: list, onClear: () => set({ [name]: undefined }) }),
  }
}
