import type { Column } from './data-table'

/** Large enough for touch, without increasing the height of a line in a card. */
export const nameClass =
  'inline-flex min-h-6 min-w-0 max-w-full items-center rounded text-left underline-offset-4 hover:underline ' +
  'pointer-coarse:-my-3 pointer-coarse:min-h-11 pointer-coarse:min-w-11'

/** The same for a title of several lines. */
const titleClass =
  'relative min-h-6 max-w-full rounded text-left underline-offset-4 hover:underline ' +
  'pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-2.5'

/** Makes the title of each row a button. @param onOpen gets the button, which has the focus later */
export function openByTitle<Row>(
  columns: readonly Column<Row>[],
  onOpen: (row: Row, opener: HTMLElement) => void,
): Column<Row>[] {
  return columns.map((column) =>
    column.role === 'title'
      ? {
          ...column,
          cell: (row) => (
            <button type="button" className={titleClass} onClick={(event) => onOpen(row, event.currentTarget)}>
              {column.cell(row)}
            </button>
          ),
        }
      : column,
  )
}
