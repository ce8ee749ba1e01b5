import type { Column } from './data-table'

/** Large enough for touch, without increasing the height of its lines in a card, or the space beside a short name. */
export const nameClass =
  'relative inline-flex min-h-6 min-w-0 max-w-full items-center rounded text-left underline-offset-4 hover:underline ' +
  'pointer-coarse:-my-3 pointer-coarse:py-3 pointer-coarse:before:absolute pointer-coarse:before:inset-y-0 pointer-coarse:before:left-0 pointer-coarse:before:w-full pointer-coarse:before:min-w-11'

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
            <button type="button" className={nameClass} onClick={(event) => onOpen(row, event.currentTarget)}>
              {column.cell(row)}
            </button>
          ),
        }
      : column,
  )
}
