import { hasPages, linkToRow } from '@/data/resources'
import type { Tag } from '@/lib/resources'
import { Link } from '../link'
import type { Column } from './column'

/** Enlarges the target for touch without moving anything around it. */
export const nameClass =
  'inline-flex min-h-6 min-w-0 max-w-full items-center rounded text-left underline-offset-4 hover:underline ' +
  'pointer-coarse:-my-3 pointer-coarse:-ml-4 pointer-coarse:min-w-11 pointer-coarse:max-w-[calc(100%+1rem)] pointer-coarse:py-3 pointer-coarse:pl-4'

/** Makes titles links to the pages of their rows, or to their dialogs. */
export function openByTitle<Row extends { id: string }>(
  columns: readonly Column<Row>[],
  list: Tag,
  onOpen: (id: string, opener: HTMLElement) => void,
): Column<Row>[] {
  return columns.map((column) => {
    if (column.role !== 'title' || column.isLink) return column
    const cell = (row: Row) =>
      hasPages(list) ? (
        <Link {...linkToRow(list, row.id)} className={nameClass}>
          {column.cell(row)}
        </Link>
      ) : (
        // A link of the router would render again whenever the URL changes, in every row.
        <a
          href={`/${list}?edit=${row.id}`}
          className={nameClass}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            onOpen(row.id, event.currentTarget)
          }}
        >
          {column.cell(row)}
        </a>
      )
    return { ...column, cell }
  })
}
