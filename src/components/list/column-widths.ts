interface SizedColumn {
  header: string
  /** The most characters of its cells. */
  chars?: number | undefined
  width?: string | undefined
}

/** In rem. In a narrower list, rows are cards. */
const LIST_WIDTH = 56
const CHAR_WIDTH = 0.55
const PADDING = 1.5
/** Of texts, and of columns with a width. */
const TEXT_WIDTH = 9
const SET_WIDTH = 5

/** The width of a column that never wraps, in rem. Its heading wraps between words, and has an arrow. */
export function widthOf(header: string, chars: number): number {
  const longest = Math.max(...header.split(' ').map(({ length }) => length))
  return Math.max(chars, longest + 2) * CHAR_WIDTH + PADDING
}

/**
 * The least width in rem of a table with more columns than fit, which scrolls in its frame, so that texts have room;
 * `undefined` where they fit.
 */
export function scrolledWidth(columns: readonly SizedColumn[]): number | undefined {
  const sum = columns.reduce((total, { header, width, chars }) => {
    if (chars !== undefined) return total + widthOf(header, chars)
    return total + (width === undefined ? TEXT_WIDTH : SET_WIDTH)
  }, 0)
  return sum > LIST_WIDTH ? sum : undefined
}
