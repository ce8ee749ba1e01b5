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

/** Why a row cannot be read. */
export interface RowError {
  /** The heading of the cell as it stands in the text; `null` if the row as a whole is wrong. */
  column: string | null
  /** What stands there. */
  value: string
  reason: string
}

export interface Row extends Person {
  /** Where it begins in the text, from 1. A row may have several lines. */
  line: number
  error?: RowError
}

export interface People {
  /** In the order of lines, also those with errors. */
  rows: Row[]
  /** The headings that became fields, as they stand in the text. */
  columns: { email: string; full_name: string | undefined; is_superuser: string | undefined }
  /** The other headings. */
  ignored: string[]
}

/** Rows without errors, as the API takes them. */
export const bodyOf = (rows: readonly Row[]): Person[] =>
  rows
    .filter(({ error }) => error === undefined)
    .map(({ email, full_name, is_superuser }) => ({ email, full_name, is_superuser }))

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
  const people: People = {
    rows: [],
    columns: { email: '', full_name: undefined, is_superuser: undefined },
    ignored: [],
  }
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
        const headings = cells
        const headingOf = (column: string) => headings[columns?.indexOf(column) ?? -1]
        people.columns = {
          email: headingOf('email') ?? '',
          full_name: headingOf('full_name'),
          is_superuser: headingOf('is_superuser'),
        }
        people.ignored = cells.filter((cell, index) => cell !== '' && !known.has(columns?.[index] ?? ''))
      } else people.rows.push(toRow(people, columns, cells, begin, quotes !== undefined))
    },
  })
  if (!columns?.includes('email')) throw new UserError('The first line must name the columns, one of them “email”.')
  const used = columns.filter((column) => known.has(column))
  if (new Set(used).size < used.length) throw new UserError('Two columns have the same name.')
  const count = people.rows.length
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

function toRow(
  { columns: headings }: People,
  columns: readonly string[],
  cells: readonly string[],
  line: number,
  isMisquoted: boolean,
): Row {
  const cellOf = (column: string) => withoutGuard(cells[columns.indexOf(column)] ?? '')
  const role = cellOf('is_superuser')
  const is_superuser = booleans.get(role.toLowerCase())
  const row = {
    line,
    email: cellOf('email'),
    full_name: cellOf('full_name') || null,
    is_superuser: is_superuser === true,
  }
  const wrong = (column: string | null, value: string, reason: string) => ({ ...row, error: { column, value, reason } })
  const surplus = cells.slice(columns.length).find((cell) => cell !== '')
  if (isMisquoted) return wrong(null, cells.join(' ').slice(0, 100), 'A quote is missing or in the wrong place.')
  if (surplus !== undefined) return wrong(null, surplus, 'There are more cells than columns.')
  if (is_superuser === undefined) return wrong(headings.is_superuser ?? null, role, 'Must be true, false or empty.')
  return row
}

/** Exports put `'` before what a spreadsheet would take for a formula, also inside of a cell. */
const withoutGuard = (cell: string): string =>
  cell.replaceAll(/(^ *|[;\t\r\n][ "]*)'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1').replace(/^'(?=[\t\r])/, '')
