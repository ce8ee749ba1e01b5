import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { directionOf, nextSort } from '@/lib/sorting'
import { useHasCards } from '@/lib/use-media'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** `title`: what a row is called; `actions`: what can be done with it. On a card these two share the row's first line. */
  role?: 'title' | 'actions'
  /** Of the column on a wide screen. */
  width?: string
  /** Left out between 768 and 1,023 px. */
  isExtra?: boolean
  /** The field that its heading sorts by. */
  sort?: string
  /** A back end whose rows are without this one gets no such column. */
  field?: keyof Row
}

interface DataTableProps<Row> {
  /** Names the table for those who do not see the heading above it. */
  label: string
  /** The same array while nothing of them changes: a new one renders every row again. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** A field, or one with `-` in front; the list's own order when left out. */
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
}

/**
 * A table; below 1,024 px each row is laid out as a card. The roles are explicit because browsers may drop them from a table
 * with another display.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, sort, onSort } = props
  const hasCards = useHasCards()
  return (
    <div className="overflow-hidden rounded-lg border">
      {/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- see above */}
      <table role="table" aria-label={label} className="w-full text-left max-lg:block lg:table-fixed">
        <thead role="rowgroup" className="bg-surface text-xs text-muted-foreground max-lg:sr-only">
          <tr role="row">
            {columns.map(({ header, role, width, isExtra, sort: field }) => (
              <th
                key={header}
                role="columnheader"
                scope="col"
                aria-sort={directionOf(field, sort)}
                className={clsx(
                  'px-4 py-2.5 font-medium',
                  width,
                  role === 'actions' && 'text-right',
                  isExtra && extraClass,
                )}
              >
                {/* The headings of cards are for screen readers alone. */}
                {field === undefined || onSort === undefined || hasCards ? (
                  header
                ) : (
                  <SortButton header={header} field={field} sort={sort} onSort={onSort} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="divide-y max-lg:block">
          {rows.map((row) => (
            <TableRow key={row.id} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
      {/* oxlint-enable */}
    </div>
  )
}

const extraClass = 'md:max-lg:hidden'

interface SortButtonProps {
  header: string
  field: string
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/** Its name is the column's alone: `aria-sort` says the direction. */
function SortButton({ header, field, sort, onSort }: SortButtonProps) {
  const direction = directionOf(field, sort)
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      className={clsx(
        'group -mx-2 -my-1.5 inline-flex min-h-7 items-center gap-1 rounded-md px-2 text-left hover:bg-muted pointer-coarse:-my-3.5 pointer-coarse:min-h-11',
        direction && 'text-foreground',
      )}
      onClick={() => onSort(nextSort(field, sort))}
    >
      {header}
      <Arrow
        aria-hidden
        className={clsx('size-3.5 shrink-0', !direction && 'invisible group-hover:visible group-focus-visible:visible')}
      />
    </button>
  )
}

interface TableRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
}

/** Renders again when its own row has changed, not with the table. */
const TableRow = memo(function TableRow<Row>({ row, columns }: TableRowProps<Row>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- see above
    <tr
      role="row"
      className="max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-1 max-lg:px-4 max-lg:py-3 lg:hover:bg-surface"
    >
      {columns.map(({ header, cell, role, isExtra }) => (
        <td
          key={header}
          role="cell"
          data-label={header}
          className={clsx('wrap-anywhere', cellClass(role), isExtra && extraClass)}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

function cellClass(role: Column<unknown>['role']): string {
  if (role === 'title') return 'font-medium max-lg:order-first max-lg:self-center lg:px-4 lg:py-2'
  if (role === 'actions') return 'text-right max-lg:-order-1 max-lg:-my-1 max-lg:-mr-2 lg:px-4 lg:py-1.5'
  // The heading as text beside the cell is for the eye alone: a screen reader has the column's.
  return (
    'max-lg:col-span-2 max-lg:grid max-lg:items-baseline max-lg:grid-cols-[6rem_minmax(0,1fr)] max-lg:justify-items-start ' +
    "max-lg:before:text-muted-foreground max-lg:before:content-[attr(data-label)_/_''] lg:px-4 lg:py-2"
  )
}

/** In place of a missing value. */
export function NotAvailable() {
  return <span className="text-muted-foreground">N/A</span>
}
