import { clsx } from 'clsx'
import { useElementScrollRestoration } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type CSSProperties, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { focusHeading } from '@/browser/focus-heading'
import type { Column } from './column'
import { columnWidths, leastWidth, MIN_TABLE_WIDTH } from './column-widths'
import { listWidth, measureList } from './shown-columns'
import { SkeletonRows } from '../skeleton'
import { handleRowKey, rowOf } from './row-keys'
import { useLongPress } from './row-selection'
import type { RowSelection } from './selection'
import { directionOf, SortHeading } from './sort-heading'
import { markHiddenEdges, stickyClass, stickyColumns } from './sticky-columns'
import { boxPadding, type RowLayout, rowLayout, TableRow } from './table-row'

interface DataTableProps<Row> {
  label: string
  /** Must be stable, because a new array renders every row again. */
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  page?: number | undefined
  selection?: RowSelection | undefined
  /** Whether new rows are loading. The old ones are dimmed and inert. */
  isPlaceholderData?: boolean
  gone?: ReadonlySet<string>
  /** A field, with `-` for descending order. */
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
  hasCardPairs?: boolean
}

/** Shows rows as cards below 56rem. Sets roles, because browsers may drop those of tables with another `display`. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, page, sort, onSort } = props
  const least = leastWidth(columns)
  const isWide = useSelector(listWidth, (width) => width >= MIN_TABLE_WIDTH && width < least)
  const widths = useMemo(() => columnWidths(columns), [columns])
  const stuck = useMemo(() => (isWide ? stickyColumns(columns, widths) : undefined), [isWide, columns, widths])
  const layout = useMemo(() => rowLayout(columns, stuck?.offsets), [columns, stuck])
  // Sticky headings would stick to the frame, not to the window, if the frame scrolls.
  const headingClass = clsx('bg-surface shadow-[inset_0_-1px_var(--color-border)]', !isWide && 'sticky top-12 z-10')
  return (
    <div ref={measureList} className="@container">
      <div
        ref={isWide ? markHiddenEdges : undefined}
        className={clsx('rounded-lg border', isWide ? 'columns:overflow-x-auto cards:overflow-clip' : 'overflow-clip')}
        style={stuck && { scrollPaddingInline: stuck.scrollPadding }}
      >
        {/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- see above */}
        <table
          role="table"
          aria-label={label}
          className="w-full text-left cards:block columns:min-w-(--least-width) columns:table-fixed"
          style={{ '--least-width': `calc(${least}rem - 2px)` } as CSSProperties}
        >
          <thead role="rowgroup" className="text-xs text-muted-foreground cards:sr-only">
            <tr role="row" className="bg-surface">
              {columns.map(({ header, heading = header, role, kind, sort: field }, index) => {
                const canSort = field !== undefined && onSort !== undefined
                const place = stuck?.offsets[index]
                // Not a `th`: the label of the checkbox would become a part of its name.
                const Cell = role === 'box' ? 'td' : 'th'
                return (
                  <Cell
                    // The title or the actions may have the same heading as another column, so their key is their role.
                    key={role ?? header}
                    {...(role === 'box' ? { role: 'cell' } : { role: 'columnheader', scope: 'col' })}
                    aria-sort={directionOf(field, sort)}
                    style={{ width: widths[index], left: place?.left, right: place?.right }}
                    className={clsx(
                      headingClass,
                      place && stickyClass(place),
                      role === 'box' ? `${boxPadding.own} cards:hidden` : 'px-3 py-2 font-medium',
                      columns[index - 1]?.role === 'box' && boxPadding.next,
                      kind === 'number' && 'columns:text-right',
                      role === 'actions' && 'text-right print:hidden',
                    )}
                  >
                    {canSort ? (
                      <SortHeading
                        header={header}
                        field={field}
                        sort={sort}
                        isAtEnd={kind === 'number'}
                        onSort={onSort}
                      />
                    ) : (
                      heading
                    )}
                  </Cell>
                )
              })}
            </tr>
          </thead>
          {rows ? (
            <TableBody {...props} rows={rows} layout={layout} key={page} />
          ) : (
            <tbody aria-hidden className="cards:block">
              <tr className="cards:block">
                <td colSpan={columns.length + 1} className="cards:block">
                  <SkeletonRows />
                </td>
              </tr>
            </tbody>
          )}
        </table>
        {/* oxlint-enable */}
      </div>
    </div>
  )
}

/** The least height of a row and of a card, and the least distance of the first row from the top, in pixels. */
const MIN_ROW_HEIGHT = 40
const MIN_CARD_HEIGHT = 64
const MIN_ROW_TOP = 160
/** In narrower windows, each line has one card. */
const MIN_PAIRS_WIDTH = 640
/** Wider windows show a table. */
const MAX_CARDS_WIDTH = 1216

function rowsInWindow(scrollY: number): number {
  const { innerWidth, innerHeight } = window
  const cardHeight = innerWidth < MIN_PAIRS_WIDTH ? MIN_CARD_HEIGHT : MIN_CARD_HEIGHT / 2
  const height = innerWidth < MAX_CARDS_WIDTH ? cardHeight : MIN_ROW_HEIGHT
  return Math.ceil((scrollY + innerHeight - MIN_ROW_TOP) / height)
}

function cardsClass(columns: readonly Column<never>[], hasPairs: boolean): string {
  if (!hasPairs) return 'cards:block cards:divide-y'
  if (columns.some(({ picture }) => picture))
    return (
      'cards:@max-3xl:block cards:@max-3xl:divide-y cards:@3xl:grid cards:@3xl:grid-cols-2 ' +
      'cards:@3xl:[&>:nth-child(even)]:border-l cards:@3xl:[&>:nth-child(n+3)]:border-t'
    )
  return (
    'narrow:block narrow:divide-y cards:roomy:grid cards:roomy:grid-cols-2 ' +
    'cards:roomy:[&>:nth-child(even)]:border-l cards:roomy:[&>:nth-child(n+3)]:border-t ' +
    'cards:roomy:[&>tr]:content-start cards:roomy:[&>tr]:py-2'
  )
}

interface TableBodyProps<Row> extends DataTableProps<Row> {
  rows: readonly Row[]
  layout: RowLayout<Row>
}

/** First renders only the rows that the window shows, so that they appear at once, then the others. */
function TableBody<Row extends { id: string }>(props: TableBodyProps<Row>) {
  const { columns, rows, layout, isPlaceholderData = false, gone, selection, hasCardPairs = false } = props
  const { scrollY = 0 } = useElementScrollRestoration({ getElement: () => window }) ?? {}
  const [first] = useState(() => rowsInWindow(scrollY))
  const limit = useDeferredValue(Infinity, first)
  const focused = useRef<HTMLElement>(null)
  const longPress = useLongPress(selection)
  // React reports no blur if new rows replace the row with the focus.
  useLayoutEffect(() => {
    if (focused.current?.isConnected !== false) return
    focused.current = null
    focusHeading()
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-interactions -- see above; the names of the rows have the focus
    <tbody
      role="rowgroup"
      inert={isPlaceholderData}
      aria-busy={limit < rows.length || undefined}
      onFocus={({ target }) => {
        focused.current = rowOf(target)
      }}
      onBlur={() => {
        focused.current = null
      }}
      onKeyDown={(event) => handleRowKey(event, selection)}
      {...longPress}
      className={clsx(
        'transition-opacity columns:divide-y',
        cardsClass(columns, hasCardPairs),
        isPlaceholderData && 'opacity-50 delay-150',
        selection && 'cards:pointer-coarse:select-none cards:[-webkit-touch-callout:none]',
      )}
    >
      {rows.slice(0, limit).map((row) => (
        <TableRow key={row.id} row={row} layout={layout} isGone={gone?.has(row.id) ?? false} />
      ))}
    </tbody>
  )
}
