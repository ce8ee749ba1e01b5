import type { Column } from './data-table'

/** Large enough for touch, to the left and beyond its line, without increasing the height of a card or moving what follows. */
export const nameClass =
  'inline-flex min-h-6 min-w-0 max-w-full items-center rounded text-left underline-offset-4 hover:underline ' +
  'pointer-coarse:-my-3 pointer-coarse:-ml-4 pointer-coarse:min-w-11 pointer-coarse:max-w-[calc(100%+1rem)] pointer-coarse:py-3 pointer-coarse:pl-4'

/**
 * Makes the title of each row a button.
 *
 * @param onOpen gets the button, which has the focus later
 * @public Of resources.
 */
export function openByTitle<Row>(
  columns: readonly Column<Row>[],
  onOpen: (row: Row, opener: HTMLElement) => void,
): Column<Row>[] {
  return columns.map((column) =>
    column.role === 'title'
      ? {
          ...column,
          cell: (row) => (
            <button type="button" className={nameClass} onClick={(event) => onOpen(row, event.currentTarget)}>
              {column.cell(row)}
            </button>
          ),
        }
      : column,
  )
}
