import { type ReactNode, type RefObject, useRef } from 'react'
import { AddressSelect, type Option } from './filter-select'
import type { Column } from './data-table'
import { FilterNote } from './filter-note'
import { SearchBox } from './search-box'
import { useFocusLeft } from '../use-focus-left'

interface Choice<Row> {
  /** The search parameter. */
  name: string
  label: string
  /** The option without a value. */
  any: string
  values: readonly (string | number)[]
  text: (value: string) => string
  /** The filter is omitted if rows of the back end do not have this field. */
  field?: keyof Row
}

/** A filter that is set by a link. */
interface Note {
  name: string
  note: string
  clear: string
  field?: never
}

export type ListFilter<Row> = Choice<Row> | Note

/** Values of search parameters; `undefined` removes one. */
export type Changes = Record<string, string | undefined>

interface ListToolbarProps<Row> {
  /** Such as `users`. */
  rowsName: string
  filters: readonly ListFilter<Row>[]
  columns: readonly Column<Row>[]
  /** The search parameters in the address. */
  values: object
  onChange: (changes: Changes, options?: { replace: boolean }) => void
  status: string
  searchBox: RefObject<HTMLInputElement | null>
  children: ReactNode
}

/** Search, filters and sort of a list, whose state is in the URL. */
export function ListToolbar<Row>(props: ListToolbarProps<Row>) {
  const { rowsName, filters, columns, values, onChange, status, searchBox, children } = props
  const valueOf = (name: string) => String((values as Record<string, string | number>)[name] ?? '')
  const toolbar = useRef<HTMLDivElement>(null)
  useFocusLeft(toolbar)
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- React warns about the tag in browsers that do not know it
    <div ref={toolbar} role="search" className="flex flex-wrap items-end gap-2 columns:items-center columns:gap-x-3">
      <SearchBox
        ref={searchBox}
        label={`Search ${rowsName}`}
        q={valueOf('q')}
        onSearch={(q) => onChange({ q }, { replace: true })}
      />
      {filters.map((filter) =>
        'note' in filter ? (
          valueOf(filter.name) !== '' && (
            <FilterNote
              key={filter.name}
              clear={filter.clear}
              onClear={() => {
                searchBox.current?.focus()
                onChange({ [filter.name]: undefined })
              }}
            >
              {filter.note}
            </FilterNote>
          )
        ) : (
          <AddressSelect
            key={filter.name}
            label={filter.label}
            value={valueOf(filter.name)}
            options={[
              ['', filter.any],
              ...filter.values.map((value) => [`${value}`, filter.text(`${value}`)] as const),
            ]}
            textOf={filter.text}
            onChoose={(value) => onChange({ [filter.name]: value })}
          />
        ),
      )}
      {/* Only for cards, whose headings cannot be pressed. */}
      <div className="contents columns:hidden">
        <AddressSelect
          label="Sort by"
          value={valueOf('sort')}
          options={sortOptions(columns)}
          onChoose={(sort) => onChange({ sort })}
        />
      </div>
      {/* Has a fixed width, so that other texts do not move it. */}
      <div className="flex grow basis-full items-center justify-between gap-2 @2xl:basis-96">
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- nothing is calculated */}
        <p role="status" className="text-muted-foreground">
          {status}
        </p>
        {children}
      </div>
    </div>
  )
}

function sortOptions(columns: readonly Column<never>[]): Option[] {
  return [
    ['', 'Newest first'],
    ['created_at', 'Oldest first'],
    ...columns.flatMap(({ header, sort }): Option[] =>
      sort === undefined
        ? []
        : [
            [sort, `${header}, ascending`],
            [`-${sort}`, `${header}, descending`],
          ],
    ),
  ]
}
