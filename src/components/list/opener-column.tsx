import type { Needy } from '@/data/api/capabilities'
import type { Column } from './column'

/** A column of a list, whose heading sorts by a field of the contract. */
export interface ListColumn<Row, Sort extends string = string> extends Column<Row>, Needy {
  sort?: Sort
  /** Its cell has a link of its own. Other titles open Edit. */
  isLink?: true
}

/** Large enough for touch, to the left and beyond its line, without increasing the height of a card or moving what follows. */
export const nameClass =
  'inline-flex min-h-6 min-w-0 max-w-full items-center rounded text-left underline-offset-4 hover:underline ' +
  'pointer-coarse:-my-3 pointer-coarse:-ml-4 pointer-coarse:min-w-11 pointer-coarse:max-w-[calc(100%+1rem)] pointer-coarse:py-3 pointer-coarse:pl-4'

/**
 * Makes the title of each row a link to its dialog, which a press opens here, and Ctrl or the middle button in a new tab.
 *
 * @param list the path of the list
 * @param onOpen gets the link, which has the focus later
 */
export function openByTitle<Row extends { id: string }>(
  columns: readonly ListColumn<Row>[],
  list: string,
  onOpen: (id: string, opener: HTMLElement) => void,
): Column<Row>[] {
  return columns.map((column) =>
    column.role === 'title' && !column.isLink
      ? {
          ...column,
          cell: (row) => (
            // Not a link of the router: each of fifty would follow every change of the address.
            <a
              href={`${list}?edit=${row.id}`}
              className={nameClass}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
                event.preventDefault()
                onOpen(row.id, event.currentTarget)
              }}
            >
              {column.cell(row)}
            </a>
          ),
        }
      : column,
  )
}
