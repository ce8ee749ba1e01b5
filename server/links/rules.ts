import type { Db, Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { resources } from '../resources.ts'
import { type Links, type Named, nameFieldOf } from './link.ts'
import { type Resource, resourceOf } from './queries.ts'

// Fields with the ids of rows of other resources: docs/decisions/0039-links.md.

/** The most rows that the deletion of one row may clear or delete in its transaction. */
const MAX_RELEASED = 1_000
/** The same for a whole request. */
export const MAX_RELEASED_IN_ALL = 10_000
/** One statement changes at most this many rows, because SQLite blocks the thread meanwhile. */
const ROWS_AT_ONCE = 100

export const linksTo = (table: string) =>
  resources.flatMap((from) =>
    Object.entries(from.links).flatMap(([field, { to, onDelete }]) =>
      to === table ? [{ from, field, onDelete }] : [],
    ),
  )

export const isLinkedTo = (table: string): boolean => linksTo(table).length > 0

/**
 * Adds the names of the linked rows. The name of a row that the reader may not see is null.
 * @param ownerId the reader sees names of rows of this owner; `undefined` sees all
 */
export async function nameLinked<Row extends object>(
  db: Db,
  links: Links,
  rows: readonly Row[],
  ownerId: string | undefined,
): Promise<Named<Row>[]> {
  const all = Object.entries(links)
  if (all.length === 0) return rows as Named<Row>[]
  const named = rows.map((row) => ({ ...row }) as Record<string, unknown>)
  for (const [field, { to }] of all) {
    const ids = new Set(named.flatMap((row) => (typeof row[field] === 'string' ? [row[field]] : [])))
    const names = ids.size === 0 ? undefined : await resourceOf(to).readNames(db, [...ids], ownerId)
    for (const row of named) row[nameFieldOf(field)] = names?.get(row[field] as string) ?? null
  }
  return named as Named<Row>[]
}

/**
 * Locks linked rows, so that nobody deletes them before the transaction ends.
 * @param ownerId the owner whose rows may be linked; `undefined` allows all rows
 * @returns the fields whose row is missing, or may not be linked
 */
export async function holdLinked(
  tx: Tx,
  links: Links,
  values: object,
  ownerId: string | undefined,
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const [field, { to }] of Object.entries(links)) {
    const id = (values as Record<string, unknown>)[field]
    if (typeof id === 'string' && !(await resourceOf(to).hold(tx, { id, ownerId }))) missing.push(field)
  }
  return missing
}

/** Missing rows and rows of other people get the same message, so that nobody learns which rows exist. */
export function noSuchRow(field: string): DomainError {
  const words = field.replace(/_id$/, '').replaceAll('_', ' ')
  const message = `${words.charAt(0).toUpperCase()}${words.slice(1)} not found`
  return new DomainError('unprocessable', message, { field })
}

interface Release {
  clears: { from: Resource; field: string; ids: string[] }[]
  /** In the order in which links were followed. They are deleted in the reverse order, rows with links first. */
  deletes: { from: Resource; ids: string[] }[]
}

type DeletedRows = Awaited<ReturnType<Resource['deleteRows']>>

/**
 * Clears links to a row, or deletes the rows that link to it, before the row is deleted. The transaction has locked it.
 * @param deletion.at the time of the deletion
 * @param deletion.left how many more rows the request may clear or delete
 * @returns the number of changed and deleted rows, the deleted rows of `table`, and words for the audit log, if any
 * @throws DomainError `conflict`; then nothing is changed
 */
export async function releaseLinks(
  tx: Tx,
  table: string,
  id: string,
  { noun, at, left = MAX_RELEASED_IN_ALL }: { noun: string; at: number; left?: number },
): Promise<{ number: number; deleted: DeletedRows; words?: string }> {
  const { clears, deletes } = await findLinking(tx, table, id, noun, left)
  for (const { from, field, ids } of clears) for (const some of inParts(ids)) await from.clear(tx, field, some, at)
  const deleted: DeletedRows = []
  for (const { from, ids } of deletes.toReversed())
    for (const some of inParts(ids)) {
      const rows = await from.deleteRows(tx, some)
      if (from.table === table) deleted.push(...rows)
    }
  const done = [
    ...clears.map(({ from, ids }) => [ids.length, `${from.table} cleared`] as const),
    ...deletes.map(({ from, ids }) => [ids.length, `${from.table} deleted`] as const),
  ]
  const number = done.reduce((sum, [count]) => sum + count, 0)
  return { number, deleted, ...(number > 0 && { words: done.map((one) => one.join(' ')).join(', ') }) }
}

function* inParts(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) yield ids.slice(from, from + ROWS_AT_ONCE)
}

async function findLinking(tx: Tx, table: string, id: string, noun: string, max: number): Promise<Release> {
  const gone = new Map([[table, new Set([id])]])
  const left = (of: string, ids: readonly string[]) => ids.filter((one) => !gone.get(of)?.has(one))
  const release: Release = { clears: [], deletes: [] }
  const refusals: (Release['clears'][number] & { of: string })[] = []
  // The loop adds the rows that it deletes, because other rows may link to them.
  const levels: { of: string; ids: readonly string[]; by?: string }[] = [{ of: table, ids: [id] }]
  let number = 0
  for (const { of, ids, by } of levels)
    for (const { from, field, onDelete } of linksTo(of)) {
      const isDeep = onDelete === 'delete' && from.table === of
      // The recursive query of the level before has already found these rows.
      if (isDeep && by === field) continue
      const found = left(from.table, await from.lockLinking(tx, field, ids, { limit: MAX_RELEASED + 1, isDeep }))
      if (found.length === 0) continue
      if (onDelete === 'refuse') {
        refusals.push({ of, from, field, ids: found })
        continue
      }
      number += found.length
      if (number > MAX_RELEASED)
        throw refused(`More than ${shown(MAX_RELEASED)} rows link to this ${noun}: delete some of them first`)
      if (number > max)
        throw refused(`More than ${shown(MAX_RELEASED_IN_ALL)} rows link to these ${table}: delete fewer at once`)
      if (onDelete === 'clear') release.clears.push({ from, field, ids: found })
      else {
        release.deletes.push({ from, ids: found })
        gone.set(from.table, new Set([...(gone.get(from.table) ?? []), ...found]))
        levels.push({ of: from.table, ids: found, ...(isDeep && { by: field }) })
      }
    }
  for (const { of, from, ids } of refusals) {
    const kept = left(from.table, ids).length
    const what = of === table ? `this ${noun}` : `${of} that would be deleted with this ${noun}`
    if (kept > 0) throw refused(`${toSubject(kept, from.table)} to ${what}`)
  }
  const clears = release.clears.map((clear) => ({ ...clear, ids: left(clear.from.table, clear.ids) }))
  return { ...release, clears: clears.filter(({ ids }) => ids.length > 0) }
}

function toSubject(count: number, plural: string): string {
  if (count === 1) return `1 of the ${plural} links`
  return `${count > MAX_RELEASED ? `More than ${shown(MAX_RELEASED)}` : count} ${plural} link`
}

const shown = (count: number): string => count.toLocaleString('en')

const refused = (message: string): DomainError => new DomainError('conflict', message)
