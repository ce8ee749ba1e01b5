import { type ReactNode, useRef } from 'react'
import { useFocusLeft } from '../use-focus-left'
import type { Column } from './data-table'
import { FilterSelect, type Option } from './filter-select'
import { SearchBox } from './search-box'
import type { List } from './use-list'

interface ListToolbarProps<Row> {
  list: List<Row>
  columns: readonly Column<Row>[]
  filters?: ReactNode
  /** What can be done with the list. */
  children: ReactNode
}

/** Search, filters and sort of a list. */
export function ListToolbar<Row>({ list, columns, filters, children }: ListToolbarProps<Row>) {
  const { searchBox, plural, status, change, valueOf } = list
  const toolbar = useRef<HTMLDivElement>(null)
  useFocusLeft(toolbar)
  return (
    <div className="@container mt-6 print:hidden">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- React warns about the tag in browsers that do not know it */}
      <div ref={toolbar} role="search" className="flex flex-wrap items-end gap-2 columns:items-center columns:gap-x-3">
        <SearchBox
          ref={searchBox}
          label={`Search ${plural}`}
          q={valueOf('q')}
          onSearch={(q) => change({ q }, { replace: true })}
        />
        {filters}
        {/* Only for cards, whose headings cannot be pressed. */}
        <div className="contents columns:hidden">
          <FilterSelect filters={list} name="sort" label="Sort by" options={sortOptions(columns)} />
        </div>
        {/* Has a fixed width, so that other texts do not move it. */}
        <div className="flex grow basis-full items-center justify-between gap-2 @2xl:basis-96">
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- nothing is calculated */}
          <p role="status" className="text-muted-foreground">
            {status}
          </p>
          <div className="flex flex-wrap justify-end gap-2">{children}</div>
        </div>
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
