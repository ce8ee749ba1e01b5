import { ArrowDownUp, Check, CheckSquare, Columns3, Download, LoaderCircle, SlidersHorizontal } from 'lucide-react'
import { clsx } from 'clsx'
import { type ReactNode, useRef, useState } from 'react'
import { lazyPart } from '../lazy'
import { IconMenu } from '../menu'
import { DisappearingButton, keepFocus } from '../buttons'
import type { MenuEntry } from '../radix-menu'
import { Button } from '../ui/button'
import type { Column } from './column'
import { ExportButton, type useExport } from './export-button'
import { FilterSelect, type Option } from './filter-select'
import { Pagination } from './pagination'
import { SearchBox } from './search-box'
import type { ListState } from './use-list'

const FilterSheet = lazyPart(async () => (await import('../dialog/filter-sheet')).FilterSheet)

interface ListToolbarProps<Row> {
  list: ListState<Row>
  columns: readonly Column<Row>[]
  columnMenu: readonly MenuEntry[]
  filters: ReactNode
  /** Whether the filters are in a sheet: chips of more than three filters would leave no room for the search. */
  hasManyFilters?: boolean | undefined
  note?: ReactNode
  exporting: ReturnType<typeof useExport> | undefined
  more: readonly MenuEntry[]
  /** Shows boxes in the rows of a narrow list. */
  onSelect: (() => void) | undefined
}

/** A line of search, filters, sort and export. With little room, filters and sort are in a sheet, export in a menu. */
export function ListToolbar<Row>(props: ListToolbarProps<Row>) {
  const { list, columns, columnMenu, filters, hasManyFilters = false, note, exporting, more, onSelect } = props
  const { searchBox, plural, status, newCount } = list
  // A single filter has its own button to clear it, and so has a list without matches.
  const isClearable = list.count > 0 && list.filterCount + (list.q === '' ? 0 : 1) > 1
  const filterButton = useRef<HTMLButtonElement>(null)
  /** `undefined` until it is opened. Later it stays mounted, because it may still be animating. */
  const [isSheetOpen, setSheetOpen] = useState<boolean>()
  const closeSheet = () => setSheetOpen(false)
  return (
    <div className="@container mt-3 md:mt-4 print:hidden">
      <div
        ref={keepFocus}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- React warns about the tag in browsers that do not know it
        role="search"
        data-crowded={isClearable || undefined}
        className="flex flex-wrap items-center gap-2 cards:gap-y-1"
      >
        <SearchBox ref={searchBox} label={`Search ${plural}`} q={list.q} onSearch={list.onSearch} />
        {/* Above a table, filters wrap beside the tools, which keep their place. */}
        <div
          className={clsx(
            'contents',
            !hasManyFilters && 'columns:flex columns:flex-1 columns:flex-wrap columns:gap-2 crowded:gap-x-1',
          )}
        >
          {/* A line of chips for the active filters, if the others are in a sheet. It stays while the sheet covers it. */}
          <div
            inert={isSheetOpen ?? false}
            data-chips={hasManyFilters ? 'chosen' : 'narrow'}
            className={clsx(
              'order-last flex min-w-0 basis-full flex-wrap gap-2 cards:my-1',
              !hasManyFilters && 'roomy:contents',
              list.filterCount === 0 && (hasManyFilters ? 'hidden' : 'narrow:hidden'),
            )}
          >
            {filters}
          </div>
          {note}
          {isClearable && (
            <Button
              variant="ghost"
              size="compact"
              aria-label="Clear filters"
              className="narrow:hidden"
              onClick={list.clear}
            >
              Clear
            </Button>
          )}
        </div>
        {/* Outside of the box of the tools, which would move to the left when the first rows arrive. On a phone, the line
        has the same height with and without links to pages. */}
        <div className="flex flex-wrap items-center justify-between gap-x-2 columns:ml-auto columns:h-9 columns:self-start @max-[45rem]:order-last @max-[45rem]:basis-full max-md:min-h-11">
          <p
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- nothing is calculated
            role="status"
            className={clsx(
              'flex min-w-0 flex-wrap items-center gap-x-1.5 text-muted-foreground cards:text-xs/4',
              newCount === 0 && 'crowded:max-w-20 crowded:text-right crowded:text-xs/4',
            )}
          >
            <span>{status}</span>
            {newCount > 0 && (
              <>
                <span>{`· ${newCount} new ${newCount === 1 ? list.noun : plural}`}</span>
                {/* Negative margins keep the button from making the line higher, which would move rows. */}
                <DisappearingButton
                  variant="ghost"
                  size="compact"
                  className="-my-2.5 pointer-coarse:-my-3.5"
                  onClick={list.showNew}
                >
                  Show
                </DisappearingButton>
              </>
            )}
          </p>
          <Pagination page={list.page} count={list.count} isAbove />
        </div>
        <div className="contents columns:flex columns:h-9 columns:items-center columns:gap-2 columns:self-start">
          <div className={hasManyFilters ? undefined : 'roomy:hidden'}>
            <Button
              ref={filterButton}
              variant="secondary"
              aria-haspopup="dialog"
              aria-expanded={isSheetOpen ?? false}
              onClick={() => setSheetOpen(true)}
            >
              <SlidersHorizontal aria-hidden className="@max-xs:hidden" />
              Filters
              {list.filterCount > 0 && (
                <span className="rounded-full bg-primary px-1.5 text-xs text-primary-foreground">
                  {list.filterCount}
                </span>
              )}
            </Button>
            {isSheetOpen !== undefined && (
              <FilterSheet
                list={list}
                opener={filterButton}
                open={isSheetOpen}
                onClose={closeSheet}
                onFailure={closeSheet}
              >
                {filters}
                <FilterSelect label="Sort by" value={list.sort} options={sortOptions(columns)} onChoose={list.onSort} />
              </FilterSheet>
            )}
          </div>
          <div className="ml-auto flex items-center columns:ml-0">
            {/* A table needs this menu for sorting by fields without a column. */}
            <IconMenu
              label="Sort"
              className="narrow:hidden"
              entries={sortOptions(columns).map(([sort, label]) => ({
                label,
                icon: Check,
                isCurrent: sort === list.sort,
                className: '[&:not([aria-current])_svg]:invisible',
                onSelect: () => list.onSort(sort === '' ? undefined : sort),
              }))}
            >
              <ArrowDownUp aria-hidden />
            </IconMenu>
            <IconMenu label="Columns" className="cards:hidden" entries={columnMenu}>
              <Columns3 aria-hidden />
            </IconMenu>
            {exporting && (
              <>
                <ExportButton {...exporting} className="cards:hidden" />
                <IconMenu
                  label={exporting.pending ? 'Exporting…' : 'More actions'}
                  tip="More actions"
                  className="columns:hidden"
                  entries={[
                    ...(onSelect ? [{ label: 'Select', icon: CheckSquare, onSelect }] : []),
                    { label: 'Export CSV', icon: Download, onSelect: () => exporting.send() },
                    ...more,
                  ]}
                >
                  {exporting.pending && <LoaderCircle aria-hidden className="animate-spin" />}
                </IconMenu>
              </>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

function sortOptions(columns: readonly Column<never>[]): Option[] {
  return [
    ['', 'Newest first'],
    ['created_at', 'Oldest first'],
    ...columns.flatMap(({ header, kind, sort }): Option[] => {
      if (sort === undefined) return []
      const [up, down] = orderWords[kind ?? 'text']
      return [
        [sort, `${header}: ${up}`],
        [`-${sort}`, `${header}: ${down}`],
      ]
    }),
  ]
}

const orderWords = {
  text: ['A to Z', 'Z to A'],
  choice: ['A to Z', 'Z to A'],
  number: ['smallest first', 'largest first'],
  time: ['oldest first', 'newest first'],
  flag: ['no first', 'yes first'],
} as const
