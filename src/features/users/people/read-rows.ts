import type papaparse from 'papaparse'

export interface TextRow {
  /** The first line of the row, from 1. */
  line: number
  lastLine: number
  cells: string[]
  quotes?: { column: number; value: string }
}

/** The rows of CSV that are not empty. @param most the maximum number of rows */
export function readRows(papa: typeof papaparse, csv: string, delimiter: string, most: number): TextRow[] {
  const text = withPlainLineEnds(csv.trimEnd(), delimiter)
  const options = { delimiter, newline: '\n' } as const
  const rows: TextRow[] = []
  let line = 1
  let position = 0
  papa.parse<string[]>(text, {
    ...options,
    step: ({ data, errors: [error], meta }, parser) => {
      const source = text.slice(position, meta.cursor)
      const breaks = source.match(/\r\n|\r|\n/g)?.length ?? 0
      const row: TextRow = {
        line,
        lastLine: line + breaks - (source.endsWith('\n') ? 1 : 0),
        cells: data.map((cell) => cell.trim()),
      }
      if (error) {
        const begin = (error.index ?? 1) - 1
        const [before = []] = papa.parse<string[]>(text.slice(position, begin), options).data
        row.quotes = { column: Math.max(0, before.length - 1), value: shorten(text.slice(begin)) }
      }
      if (row.cells.some((cell) => cell !== '')) rows.push(row)
      line += breaks
      position = meta.cursor
      if (rows.length === most) parser.abort()
    },
  })
  return rows
}

/** Replaces line ends outside of quotes by `\n`. Unicode line ends count only in text without `\r` and `\n`. */
function withPlainLineEnds(csv: string, delimiter: string): string {
  const ends = /[\r\n]/.test(csv) ? '\\r\\n' : '\\u0085\\u2028\\u2029'
  const begin = `(?<=^|[${ends}${delimiter.replace(/[\\\]^-]/, '\\$&')}])`
  const pattern = new RegExp(`${begin} *("[^"]*(?:""[^"]*)*"?)|\\r\\n?|[${ends}]`, 'g')
  return csv.replaceAll(pattern, (_, quoted: string | undefined) => quoted ?? '\n')
}

/** An error about a wrong quote, which may have joined several lines to one row. */
export function quoteError({ line, lastLine }: Omit<TextRow, 'cells'>): string {
  const lines = lastLine > line ? ` Lines ${line} to ${lastLine} are one row because of it.` : ''
  return `A quote is missing or in the wrong place.${lines}`
}

export function shorten(text: string): string {
  const [line = ''] = text.slice(0, 80).split(/[\r\n]/, 1)
  return line.length < text.trimEnd().length ? `${line}…` : line
}
