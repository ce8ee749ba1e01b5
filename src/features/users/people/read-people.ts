import type papaparse from 'papaparse'
import { UserError } from '@/data/api/errors'
import { email, fullName } from '@/lib/validation/rules'
import { UsersImportSchema } from '@/client/schemas.gen'
import type { UsersImport } from '@/client/types.gen'
import { findHeadings, type Headings } from './headings'
import { findInCell, findMailboxes, isAddress, oneLine } from './mailboxes'
import { readRows, shorten, type TextRow, quoteError } from './read-rows'
import { MAX_BYTES } from './read-text'

export const rules = { email: email(), full_name: fullName() }

const MAX_ROWS = UsersImportSchema.properties.rows.maxItems

/** A heading is searched for within these limits, because titles may stand above it. */
const MAX_ROWS_ABOVE = 10
const MAX_LENGTH_ABOVE = 64 * 1024

export type Person = Required<UsersImport['rows'][number]>

export interface Row {
  /** The first line of the row, from 1. */
  line: number
  person: Person
  /** Why the row could not be read as it is. */
  problem?: string
}

export type People = Awaited<ReturnType<typeof readInput>>

class NoHeading extends UserError {}

const MAX_LIST = 256 * 1024

export const listOf = (text: string) => (text.length > MAX_LIST ? undefined : findMailboxes(text))

/** @param isList whether to treat other words as invalid addresses, instead of refusing the text as no list */
export async function readInput(text: string, isList: boolean, is_superuser = false) {
  try {
    return await readPeople(text)
  } catch (error) {
    const found = listOf(text) ?? []
    if (!(error instanceof NoHeading) || !(isList ? found.some(isAddress) : found.length > 0 && found.every(isAddress)))
      throw error
    requireRows(found.length)
    const line = (at: number) => text.slice(0, at).split(/\r\n|\r|\n/).length
    return {
      rows: found.map(({ address, name, from }) => ({
        line: line(from),
        person: { email: address, full_name: name, is_superuser },
      })),
      columns: undefined,
      ignored: [],
    }
  }
}

/** Reads CSV with headings. @throws UserError if the text as a whole cannot be read */
export async function readPeople(text: string) {
  if (new Blob([text]).size > MAX_BYTES) throw new UserError('The text is larger than 2 MiB.')
  const csv = text.replace(/^\uFEFF+/, '')
  if (/^\s*<(?:!doctype|!--|\?xml|html|head|body|table)/i.test(csv))
    throw new UserError(`This is a web page, not CSV. Line 1 is “${shorten(csv.trimStart())}”.`)
  const { default: papa } = await import('papaparse')
  const table = findHeadingRow(papa, csv)
  const { headings, cells } = table
  const { conflict } = headings
  if (conflict)
    throw new UserError(
      `Line ${table.line} has two columns with the same meaning: “${conflict[0]}” and “${conflict[1]}”. Rename one.`,
    )
  if (table.quotes) throw new UserError(`Line ${table.line}: ${quoteError(table)}`)

  const used = new Set([headings.email, ...headings.full_name, headings.is_superuser])
  const textRows = readRows(papa, csv, table.delimiter, MAX_ROWS + MAX_ROWS_ABOVE + 1)
  const rows = textRows.flatMap((textRow, index) => {
    if (index > table.index) return toRow(table, textRow)
    const isPerson = index < table.index && textRow.cells.some((cell) => cell.includes('@'))
    return isPerson ? aboveHeading(textRow) : []
  })
  if (rows.length === 0) throw new UserError('There are no rows below the heading.')
  requireRows(rows.length)
  return { rows, columns: headings.names, ignored: cells.filter((cell, index) => cell !== '' && !used.has(index)) }
}

function requireRows(number: number): void {
  if (number > MAX_ROWS) throw new UserError(`At most ${MAX_ROWS.toLocaleString('en')} rows can be imported at once.`)
}

interface HeadingRow extends TextRow {
  delimiter: string
  index: number
  headings: Headings
}

/** Finds the row of headings, and the separator with which most headings are known. */
function findHeadingRow(papa: typeof papaparse, csv: string): HeadingRow {
  const top = csv.slice(0, MAX_LENGTH_ABOVE)
  const named = /^"?sep=([^"\r\n])"?[,;\t ]*(?:[\r\n]|$)/i.exec(top)?.[1]
  const tables = (named === undefined ? [',', ';', '\t', '|'] : [named]).flatMap((delimiter) => {
    const textRows = readRows(papa, top, delimiter, MAX_ROWS_ABOVE)
    return textRows.flatMap((row, index) => {
      const headings = findHeadings(row.cells)
      return headings ? [{ ...row, delimiter, index, headings }] : []
    })
  })
  const knownIn = ({ headings }: HeadingRow) =>
    1 + headings.full_name.length + (headings.is_superuser === undefined ? 0 : 1)
  const [best] = tables.toSorted((a, b) => knownIn(b) - knownIn(a) || a.index - b.index)
  if (best) return best
  const [first] = readRows(papa, top, named ?? ',', 1)
  throw new NoHeading(
    `The first line must name the columns, one of them “email”.${first ? ` Line ${first.line} is “${shorten(first.cells.join(', '))}”.` : ''}`,
  )
}

const aboveHeading = ({ line, cells }: TextRow): Row => ({
  line,
  person: { email: '', full_name: null, is_superuser: false },
  problem: `The row is above the heading. “${shorten(cells.join(', '))}”`,
})

function toRow(table: HeadingRow, { line, cells, ...rest }: TextRow): Row {
  const { headings } = table
  const columns = headings.names
  const cellAt = (index: number | undefined) => withoutGuard(index === undefined ? '' : (cells[index] ?? ''))
  const written = cellAt(headings.email)
  const { address, name, count } = mailboxOf(written)
  const names = headings.full_name.map(cellAt).filter((cell) => cell !== '')
  const full_name = oneLine(names.join(' ')) || name
  const role = cellAt(headings.is_superuser)
  const is_superuser = headings.roleCells.meanings.get(role.toLowerCase())
  const parsed = rules.email.safeParse(address)
  const person = { email: parsed.data ?? address, full_name, is_superuser: is_superuser === true }
  const wrong = (column: string | undefined, value: string, reason: string): Row => {
    const shown = `${column === undefined ? '' : `${column}: `}“${shorten(value)}”`
    return { line, person, problem: value === '' || shorten(value) === person.email ? reason : `${reason} ${shown}` }
  }
  const surplus = cells.slice(table.cells.length).find((cell) => cell !== '')
  const swallowed = cells.findIndex((cell) => hasRows(cell, table.delimiter))
  if (rest.quotes) return wrong(table.cells[rest.quotes.column], rest.quotes.value, quoteError({ line, ...rest }))
  if (swallowed >= 0) return wrong(table.cells[swallowed], cells[swallowed] ?? '', quoteError({ line, ...rest }))
  if (surplus !== undefined) return wrong(undefined, surplus, 'There are more cells than columns.')
  if (count > 1) return wrong(columns.email, written, `There are ${count} addresses in one cell.`)
  if (!parsed.success) return wrong(columns.email, written, reasonOf(parsed))
  const named = rules.full_name.safeParse(full_name ?? '')
  if (!named.success) return wrong(columns.full_name ?? columns.email, full_name ?? '', reasonOf(named))
  if (is_superuser === undefined) return wrong(columns.is_superuser, role, headings.roleCells.error)
  return { line, person }
}

const reasonOf = ({ error }: { error: { issues: { message: string }[] } }) => error.issues[0]?.message ?? ''

/** The only person in a cell. Other texts stay unchanged and become invalid addresses. */
function mailboxOf(cell: string) {
  const found = cell.length > 1024 ? [] : findInCell(cell)
  const count = found.filter(isAddress).length
  const [one = { address: cell, name: null }] = found.length === 1 ? found : []
  return { ...one, count }
}

/** Whether a cell contains whole rows, because its quote is not closed. */
const hasRows = (cell: string, delimiter: string): boolean =>
  cell
    .split(/[\r\n]/)
    .slice(1)
    .some((line) => line.includes('@') && line.includes(delimiter))

/** Removes the `'` that exports put before anything that a spreadsheet would read as a formula. */
const withoutGuard = (cell: string): string =>
  cell.replaceAll(/(^ *|[;\t\r\n][ "]*)'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1').replace(/^'(?=[\t\r])/, '')
