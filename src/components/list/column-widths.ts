import type { Column } from './column'

type SizedColumn = Omit<Column<never>, 'cell'>

/** A narrower list shows its rows as cards. */
export const MIN_TABLE_WIDTH = 56

const FRAME_BORDERS = 0.125
const CHAR_WIDTH = 0.55
const PADDING = 1.5
const TEXT_WIDTH = 9
const TITLE_WIDTH = 14

/** A heading wraps, so only its longest word and the arrow, which is as wide as two characters, need room. */
function fixedWidth({ header, chars, width }: SizedColumn): number | undefined {
  if (chars === undefined) return width
  const longest = Math.max(...header.split(' ').map(({ length }) => length))
  return Math.max(chars, longest + 2) * CHAR_WIDTH + PADDING
}

const least = (column: SizedColumn): number =>
  fixedWidth(column) ?? column.minWidth ?? (column.role === 'title' ? TITLE_WIDTH : TEXT_WIDTH)

const shareOf = (column: SizedColumn): number => column.share ?? least(column)

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0)

export const leastWidth = (columns: readonly SizedColumn[]): number => sum(columns.map(least)) + FRAME_BORDERS

/** CSS widths. Columns without a fixed width share the free room; the last one also takes rounding errors. */
export function columnWidths(columns: readonly SizedColumn[]): (string | undefined)[] {
  const shared = columns.filter((column) => fixedWidth(column) === undefined)
  const all = leastWidth(columns)
  const shares = sum(shared.map(shareOf))
  return columns.map((column) => {
    const fixed = fixedWidth(column)
    if (fixed !== undefined) return `${fixed}rem`
    if (column === shared.at(-1)) return undefined
    return `calc(${least(column)}rem + max(100cqw - ${all}rem, 0px) * ${shareOf(column) / shares})`
  })
}

/** The columns that fit. Columns with a role always stay; others are added in their order while they fit. */
export function fittingColumns<Given extends SizedColumn>(columns: readonly Given[], width: number): readonly Given[] {
  if (width < MIN_TABLE_WIDTH) return columns
  const fitting = new Set(columns.filter(({ role }) => role !== undefined))
  for (const column of columns) if (leastWidth([...fitting, column]) <= width) fitting.add(column)
  return columns.filter((column) => fitting.has(column))
}
