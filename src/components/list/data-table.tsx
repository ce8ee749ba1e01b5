import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useElementScrollRestoration } from '@tanstack/react-router'
import {
  type CSSProperties,
  memo,
  type MouseEvent,
  type ReactNode,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { focusHeading } from '@/browser/focus-heading'
import { directionOf, nextSort } from '@/lib/sorting'
import { scrolledWidth, widthOf } from './column-widths'
import { GreyRows } from '../skeleton'
import { handleRowKey, rowOf } from './row-keys'
import { selectByTap, type SelectionColumn } from './row-selection'
import { useIsSelecting } from './selection'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** `title` contains the row's name, in the first line of a card. `actions` contains its menu. */
  role?: 'title' | 'actions'
  /** Shown before the title; on a card, beside all lines. */
  picture?: (row: Row) => ReactNode
  /** The area on a card, see src/index.css. Without one, a cell has a line of its own. */
  area?: 'title-end' | 'title-end-long' | 'second' | 'second-end' | 'third' | 'third-end' | 'details'
  /** Cards show the heading, too, because cells are unclear without it. */
  isNamed?: boolean
  /** In a wide table. */
  width?: string
  /** The most characters of its cells, such as numbers and times, which never wrap in a wide table. */
  chars?: number
  /** The field that its heading sorts by. */
  sort?: string
}

interface DataTableProps<Row> {
  label: string
  /** Must be stable, because a new array renders every row again. */
  columns: readonly Column<Row>[]
  /** `undefined` while the first ones load. */
  rows: readonly Row[] | undefined
  /** Another value for the rows of another page. */
  page?: number | undefined
  selectionColumn?: SelectionColumn<Row> | undefined
  /** New rows are loading. The old ones are dimmed and inert, and `useRowSelection` selects none of them. */
  isPlaceholderData?: boolean
  /** The ids of rows that do not exist any more, which are dimmed. */
  gone?: ReadonlySet<string>
  /** A field, with `-` for descending order; absent for the default order. */
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
}

/**
 * A table, with rows as cards below 56rem. The roles are explicit, as browsers may drop those of a table with another
 * display.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, page, sort, onSort, selectionColumn } = props
  const isSelecting = useIsSelecting(selectionColumn?.selection)
  const minWidth = scrolledWidth(columns)
  // Its headings scroll with the page.
  const isWide = minWidth !== undefined
  return (
    <div data-selecting={isSelecting || undefined} className="@container">
      <div
        className={clsx('rounded-lg border', isWide ? 'columns:overflow-x-auto cards:overflow-clip' : 'overflow-clip')}
      >
        {/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- see above */}
        <table
          role="table"
          aria-label={label}
          className="w-full text-left cards:block columns:min-w-(--min-width) columns:table-fixed"
          style={isWide ? ({ '--min-width': `${minWidth}rem` } as CSSProperties) : undefined}
        >
          <thead role="rowgroup" className="text-xs text-muted-foreground cards:sr-only">
            <tr role="row">
              {/* Not a heading, whose name would contain that of the box. */}
              {selectionColumn && (
                <td
                  role="cell"
                  className={clsx(headingClass, !isWide && stickyClass, 'pl-2 columns:w-10 cards:hidden')}
                >
                  {selectionColumn.heading}
                </td>
              )}
              {columns.map(({ header, role, width, chars, sort: field }, index) => {
                const canSort = field !== undefined && onSort !== undefined
                return (
                  <th
                    // A field may be called like another column, such as Actions.
                    key={role ?? header}
                    role="columnheader"
                    scope="col"
                    aria-sort={directionOf(field, sort)}
                    style={chars === undefined ? undefined : { width: `${widthOf(header, chars)}rem` }}
                    className={clsx(
                      headingClass,
                      !isWide && stickyClass,
                      'px-3 py-2 font-medium',
                      index === 0 && selectionColumn && 'columns:pl-2',
                      width,
                      role === 'actions' && 'text-right print:hidden',
                    )}
                  >
                    {canSort ? <SortHeading header={header} field={field} sort={sort} onSort={onSort} /> : header}
                  </th>
                )
              })}
            </tr>
          </thead>
          {rows ? (
            <TableBody {...props} rows={rows} key={page} />
          ) : (
            <tbody aria-hidden className="cards:block">
              <tr className="cards:block">
                <td colSpan={columns.length + 1} className="cards:block">
                  <GreyRows />
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

/** In pixels: no row is lower, and none begins higher on a page. */
const MIN_ROW_HEIGHT = 40
const MIN_CARD_HEIGHT = 64
const MIN_ROW_TOP = 160
/** In narrower windows, rows are cards. */
const MIN_TABLE_WIDTH = 896

/** How many rows a window can show. @param scrollY in pixels */
function rowsInWindow(scrollY: number): number {
  const height = window.innerWidth < MIN_TABLE_WIDTH ? MIN_CARD_HEIGHT : MIN_ROW_HEIGHT
  return Math.ceil((scrollY + window.innerHeight - MIN_ROW_TOP) / height)
}

/** New rows are first those in the window, also after Back, so that a press shows them at once; then all. */
function TableBody<Row extends { id: string }>(props: DataTableProps<Row> & { rows: readonly Row[] }) {
  const { columns, rows, isPlaceholderData = false, gone, selectionColumn } = props
  const { scrollY = 0 } = useElementScrollRestoration({ getElement: () => window }) ?? {}
  const [first] = useState(() => rowsInWindow(scrollY))
  const limit = useDeferredValue(Infinity, first)
  const focused = useRef<HTMLElement>(null)
  // A read may take the row with the focus away. React reports no blur then.
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
      onKeyDown={(event) => handleRowKey(event, selectionColumn?.selection)}
      onClickCapture={(event) => selectionColumn && selectByTap(event, selectionColumn.selection)}
      className={clsx('divide-y transition-opacity cards:block', isPlaceholderData && 'opacity-50 delay-150')}
    >
      {rows.slice(0, limit).map((row) => (
        <TableRow
          key={row.id}
          row={row}
          columns={columns}
          selectionColumn={selectionColumn}
          isGone={gone?.has(row.id) ?? false}
        />
      ))}
    </tbody>
  )
}

const stickyClass = 'sticky top-12 z-10'
const headingClass = 'bg-surface shadow-[inset_0_-1px_var(--border)]'

/** A box before the content of the first cell. Narrow cards show it only after Select, instead of the picture. */
function WithBox({ box, children }: { box: ReactNode; children: ReactNode }) {
  if (!box) return children
  return (
    <div className="flex items-center gap-2">
      <span className="shrink-0 print:hidden cards:absolute cards:top-1/2 cards:left-1.5 cards:-translate-y-1/2 narrow:hidden narrow:in-data-selecting:block columns:-ml-1">
        {box}
      </span>
      {children}
    </div>
  )
}

interface SortHeadingProps {
  header: string
  field: string
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/**
 * A button, or text in cards, whose headings are only for screen readers and must not be focusable. Its name does not
 * contain the direction, which `aria-sort` has.
 */
function SortHeading({ header, field, sort, onSort }: SortHeadingProps) {
  const direction = directionOf(field, sort)
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <>
      <button
        type="button"
        className={clsx(
          'group -mx-2 -my-1.5 inline-flex min-h-7 items-center gap-1 rounded-md px-2 text-left hover:bg-muted cards:hidden pointer-coarse:-my-3.5 pointer-coarse:min-h-11',
          direction && 'text-foreground',
        )}
        onClick={() => onSort(nextSort(field, sort))}
      >
        {header}
        <Arrow
          aria-hidden
          className={clsx(
            'size-3.5 shrink-0',
            !direction && 'invisible group-hover:visible group-focus-visible:visible',
          )}
        />
      </button>
      <span className="columns:hidden">{header}</span>
    </>
  )
}

interface TableRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  selectionColumn: SelectionColumn<Row> | undefined
  isGone: boolean
}

/** Renders only when its row has changed. */
const TableRow = memo(function TableRow<Row extends { id: string }>({
  row,
  columns,
  selectionColumn,
  isGone,
}: TableRowProps<Row>) {
  const { id } = row
  const hasPicture = columns.some(({ picture }) => picture !== undefined)
  return (
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles, jsx-a11y/click-events-have-key-events -- see above; a key presses the name
    <tr
      role="row"
      data-row={id}
      aria-disabled={isGone || undefined}
      onClick={openRow}
      onAuxClick={openRow}
      className={clsx(
        'card-grid group/row has-checked:bg-selected has-[[data-title]_:is(a,button)]:cursor-pointer columns:not-has-checked:hover:bg-surface',
        columns.some(({ role }) => role === 'actions') ? 'cards:pr-14 tiny:in-data-selecting:pr-4' : 'cards:pr-4',
        isGone && 'opacity-50',
        hasPicture ? 'cards:pl-13 tiny:pl-4 tiny:in-data-selecting:pl-13' : 'cards:pl-4 cards:in-data-selecting:pl-14',
        selectionColumn && (hasPicture ? 'cards:roomy:pl-24' : 'cards:roomy:pl-14'),
      )}
    >
      {columns.map(({ header, cell, picture, role, area, chars, isNamed = false }, index) => (
        <td
          key={role ?? header}
          role="cell"
          // The box has a column of its own in the head.
          colSpan={index === 0 && selectionColumn ? 2 : undefined}
          data-label={header}
          data-title={role === 'title' || undefined}
          data-area={role === undefined ? area : role}
          data-named={isNamed || undefined}
          className={cellClass(role, chars)}
        >
          <WithBox box={index === 0 && selectionColumn?.cell(row)}>
            {picture ? (
              <div className="flex min-w-0 items-center gap-3">
                <span
                  className={clsx(
                    'cards:absolute cards:top-1/2 cards:left-3 cards:-translate-y-1/2 narrow:in-data-selecting:hidden tiny:hidden',
                    selectionColumn && 'cards:roomy:left-13',
                  )}
                >
                  {picture(row)}
                </span>
                <div className="min-w-0">{cell(row)}</div>
              </div>
            ) : (
              withElement(cell(row))
            )}
          </WithBox>
        </td>
      ))}
    </tr>
  )
}) as <Row extends { id: string }>(props: TableRowProps<Row>) => ReactNode

/** A press anywhere on a row opens what its name opens, a link also in a new tab, unless text was selected. */
function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget, button } = event
  const pressed = target as Element
  // React reports presses in a menu of the row, which is elsewhere in the document.
  const isInRow = currentTarget.contains(pressed) && !pressed.closest('a, button, label, input, [role=tooltip]')
  if (!isInRow || getSelection()?.type === 'Range') return
  const name = currentTarget.querySelector<HTMLElement>('[data-title] :is(a, button)')
  const isForNewTab = button === 1 || (button === 0 && (event.ctrlKey || event.metaKey))
  if (isForNewTab && name instanceof HTMLAnchorElement) {
    window.open(name.href, '_blank', 'noopener')
    return
  }
  if (button !== 0) return
  // For the focus after Back.
  name?.focus({ preventScroll: true })
  name?.click()
}

function cellClass(role: Column<unknown>['role'], chars: number | undefined): string {
  return clsx(
    'wrap-anywhere',
    chars !== undefined && 'columns:whitespace-nowrap',
    role === 'title' && 'font-medium columns:px-3 columns:py-1',
    role === 'actions' &&
      'text-right print:hidden columns:px-3 columns:py-1 cards:absolute cards:top-1/2 cards:right-1.5 cards:-translate-y-1/2 tiny:in-data-selecting:hidden',
    role === undefined && 'text-muted-foreground columns:px-3 columns:py-2 cards:text-xs/4',
  )
}

/** A text has an element of its own, as it may change. */
const withElement = (content: ReactNode): ReactNode =>
  typeof content === 'string' || typeof content === 'number' ? <span>{content}</span> : content

/** Replaces a missing value. */
export function NotAvailable() {
  return <span className="text-muted-foreground">N/A</span>
}
