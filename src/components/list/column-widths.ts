/** What decides the width of a column. All widths are in rem. */
export interface SizedColumn {
  header: string
  role?: 'title' | 'actions' | undefined
  /** The most characters of its cells, which never wrap. */
  chars?: number | undefined
  width?: number | undefined
  /** Of a column that shares the room that the others leave. */
  minWidth?: number | undefined
  /** Its part of the room beyond that, by default in proportion to its least width. */
  share?: number | undefined
}

/** In a narrower list, rows are cards. */
export const TABLE_WIDTH = 56
export const BOX_WIDTH = 2.5

/** Of the frame. */
const BORDERS = 0.125
const CHAR_WIDTH = 0.55
const PADDING = 1.5
const TEXT_WIDTH = 9
const TITLE_WIDTH = 14

/** The heading of a column of characters wraps between words, and has an arrow. */
function fixedWidth({ header, chars, width }: SizedColumn): number | undefined {
  if (chars === undefined) return width
  const longest = Math.max(...header.split(' ').map(({ length }) => length))
  return Math.max(chars, longest + 2) * CHAR_WIDTH + PADDING
}

const least = (column: SizedColumn): number =>
  fixedWidth(column) ?? column.minWidth ?? (column.role === 'title' ? TITLE_WIDTH : TEXT_WIDTH)

const shareOf = (column: SizedColumn): number => column.share ?? least(column)

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0)

/** The least width of a table in its frame. */
export const leastWidth = (columns: readonly SizedColumn[], hasBoxes: boolean): number =>
  sum(columns.map(least)) + (hasBoxes ? BOX_WIDTH : 0) + BORDERS

/**
 * The width of each column in CSS. Columns without a fixed width share what is left, and the last of them takes the rest
 * of a division. A table that does not fit scrolls.
 */
export function columnWidths(columns: readonly SizedColumn[], hasBoxes: boolean): (string | undefined)[] {
  const shared = columns.filter((column) => fixedWidth(column) === undefined)
  const all = leastWidth(columns, hasBoxes)
  const shares = sum(shared.map(shareOf))
  return columns.map((column) => {
    const fixed = fixedWidth(column)
    if (fixed !== undefined) return `${fixed}rem`
    if (column === shared.at(-1)) return undefined
    return `calc(${least(column)}rem + max(100cqw - ${all}rem, 0px) * ${shareOf(column) / shares})`
  })
}

/** The columns that fit, in their order. The title, the menus and the first others come first. */
export function fittingColumns<Column extends SizedColumn>(
  columns: readonly Column[],
  hasBoxes: boolean,
  width: number,
): readonly Column[] {
  // Cards have no columns.
  if (width < TABLE_WIDTH) return columns
  const fitting = new Set(columns.filter(({ role }) => role !== undefined))
  for (const column of columns) if (leastWidth([...fitting, column], hasBoxes) <= width) fitting.add(column)
  return columns.filter((column) => fitting.has(column))
}
