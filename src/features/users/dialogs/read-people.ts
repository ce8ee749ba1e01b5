import { UserError } from '@/lib/api/errors'
import { UsersImportSchema } from '@/client/schemas.gen'

/** Of the request's body. */
const MAX_BYTES = 2 * 1024 ** 2
const MAX_ROWS = UsersImportSchema.properties.rows.maxItems

interface Person {
  email: string
  full_name: string | null
  is_superuser: boolean
}

export interface LineError {
  /** In the text, from 1. A row may have several lines. */
  line: number
  detail: string
}

export interface People {
  rows: Person[]
  /** The line of each row. */
  lines: number[]
  /** Rows that are not in `rows`. */
  errors: LineError[]
  /** The headings of unknown columns. */
  ignored: string[]
}

/** The text of a file. @throws UserError if it is too large or not UTF-8 */
export async function readText(file: Blob): Promise<string> {
  if (file.size === 0) throw new UserError('The file is empty.')
  if (file.size > MAX_BYTES) throw new UserError('The file is larger than 2 MiB.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw new UserError('The file is not UTF-8 text. Save it as “CSV UTF-8”.')
  }
}

/** Reads CSV with a heading. @throws UserError if the text as a whole cannot be read */
export async function readPeople(text: string): Promise<People> {
  if (new Blob([text]).size > MAX_BYTES) throw new UserError('The text is larger than 2 MiB.')
  // Loaded at the first use, as most people never import.
  const { default: papa } = await import('papaparse')
  const csv = text.replace(/^\uFEFF/, '')
  const [heading = ''] = csv.trimStart().split(/[\r\n]/, 1)
  const delimiter = [';', '\t'].find((one) => heading.includes(one)) ?? ','
  const people: People = { rows: [], lines: [], errors: [], ignored: [] }
  let columns: string[] | undefined
  let line = 1
  let position = 0
  papa.parse<string[]>(csv, {
    delimiter,
    step: ({ data, errors, meta }) => {
      const begin = line
      line += csv.slice(position, meta.cursor).match(/\r\n|\r|\n/g)?.length ?? 0
      position = meta.cursor
      const cells = data.map((cell) => cell.trim())
      if (cells.every((cell) => cell === '')) return
      const [quotes] = errors
      if (columns === undefined) {
        columns = cells.map((cell) => cell.toLowerCase().replaceAll(/[\s-]+/g, '_'))
        people.ignored = cells.filter((cell, index) => cell !== '' && !known.has(columns?.[index] ?? ''))
      } else if (quotes) people.errors.push({ line: begin, detail: 'A quote is missing or in the wrong place.' })
      else addRow(people, columns, cells, begin)
    },
  })
  if (!columns?.includes('email')) throw new UserError('The first line must name the columns, one of them “email”.')
  const used = columns.filter((column) => known.has(column))
  if (new Set(used).size < used.length) throw new UserError('Two columns have the same name.')
  const count = people.rows.length + people.errors.length
  if (count === 0) throw new UserError('There are no rows below the heading.')
  if (count > MAX_ROWS) throw new UserError(`At most ${MAX_ROWS.toLocaleString('en')} rows can be imported at once.`)
  return people
}

const known = new Set(['email', 'full_name', 'is_superuser'])

const booleans = new Map([
  ['', false],
  ['false', false],
  ['true', true],
])

function addRow(people: People, columns: readonly string[], cells: readonly string[], line: number): void {
  const cellOf = (column: string) => withoutGuard(cells[columns.indexOf(column)] ?? '')
  const is_superuser = booleans.get(cellOf('is_superuser').toLowerCase())
  if (cells.slice(columns.length).some((cell) => cell !== ''))
    people.errors.push({ line, detail: 'There are more cells than columns.' })
  else if (is_superuser === undefined)
    people.errors.push({ line, detail: 'is_superuser: must be true, false or empty.' })
  else {
    people.rows.push({ email: cellOf('email'), full_name: cellOf('full_name') || null, is_superuser })
    people.lines.push(line)
  }
}

/** Exports put `'` before what a spreadsheet would take for a formula, also inside of a cell. */
const withoutGuard = (cell: string): string =>
  cell.replaceAll(/(^ *|[;\t\r\n][ "]*)'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1').replace(/^'(?=[\t\r])/, '')
