import { type RawBuilder, type Selectable, sql } from 'kysely'
import { refs } from '../platform/database/dialect.ts'
import {
  type Filter,
  filterOf,
  type List,
  type ListQuery,
  type Place,
  readOlder,
  streamRows,
} from '../platform/database/lists.ts'
import type { Db } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'

export type NewEntry = Selectable<Tables['audit']>

type AuditEntry = Omit<NewEntry, 'details_search'>

export interface ShownEntry extends AuditEntry {
  actor_email: string | null
  subject_email: string | null
}

export interface AuditQuery {
  action?: string | undefined
  /** `failed` matches every result but `done`. */
  result?: string | undefined
  actor_id?: string | undefined
  subject_id?: string | undefined
  /** The first and the last millisecond. */
  from?: number | undefined
  to?: number | undefined
  row_id?: string | undefined
  /** Normalized words, all of which are in the details. */
  words?: readonly string[] | undefined
}

const entryColumns = ['id', 'at', 'action', 'result', 'actor_id', 'subject_id', 'origin', 'details'] as const

const newColumns = [...entryColumns, 'details_search'] as const

const newRefs = refs(newColumns)

/** The order of filters in the keys of `INDEXED` and in queries: those that usually match fewer entries come first. */
const filterColumns = ['subject_id', 'actor_id', 'action', 'result'] as const

/** Combinations of filters that have an index, unless they are for the result `done`, which nearly all entries have. */
const INDEXED = new Set([
  '',
  'action',
  'result',
  'action result',
  'actor_id',
  'actor_id action',
  'subject_id',
  'subject_id action',
])

const filtersOf = (query: AuditQuery) => filterColumns.filter((column) => query[column] !== undefined)

const hasIndex = (query: AuditQuery) => query.result !== 'done' && INDEXED.has(filtersOf(query).join(' '))

/** Whether the query is fast. Others may read many entries. */
export function isIndexed(query: AuditQuery): boolean {
  return query.row_id !== undefined || (!query.words?.length && hasIndex(query))
}

/** A condition with the expressions of the index `audit_row`: details about a row are JSON that begins with its id. */
const isAbout = (rowId: string) =>
  sql`substr(audit.details, 1, 6) = '{"id":' and substr(audit.details, 1, 44) = ${`{"id":"${rowId}"`}`

const list: List<'at'> = {
  table: 'audit',
  columns: sql`${refs(entryColumns, 'audit')}, actor.email as actor_email, subject.email as subject_email`,
  joins: sql`left join users as actor on actor.id = audit.actor_id
    left join users as subject on subject.id = audit.subject_id`,
  searched: ['details_search'],
  sorts: { at: { column: 'at' } },
}

function isResult(ref: RawBuilder<unknown>, result: string | undefined): RawBuilder<unknown> {
  if (result === 'failed') return sql`${ref} <> 'done'`
  // The first condition is that of the indexes of failures.
  return result === 'done' ? sql`${ref} = 'done'` : sql`${ref} <> 'done' and ${ref} = ${result}`
}

function queryOf(query: AuditQuery): ListQuery {
  const { from, to, words = [] } = query
  const isOfIndex = hasIndex(query)
  const filters: Filter[] = filtersOf(query).map((column) => {
    const toCondition = (ref: RawBuilder<unknown>) =>
      column === 'result' ? isResult(ref, query.result) : sql`${ref} = ${query[column]}`
    const filter = filterOf({ table: 'audit', column, isRange: false }, toCondition)
    return isOfIndex ? { where: filter.where } : filter
  })
  if (query.row_id !== undefined) filters.push({ where: isAbout(query.row_id) })
  if (from !== undefined) filters.push({ where: sql`audit.at >= ${from}`, isTime: true })
  if (to !== undefined) filters.push({ where: sql`audit.at <= ${to}`, isTime: true })
  return { words, filters, sort: { ...list.sorts.at, descending: true }, total: sql`select 0 as count` }
}

export async function insertAuditEntries(db: Db, entries: readonly NewEntry[]): Promise<void> {
  // This is plain SQL, because Kysely takes about as long to build it as the database to run it.
  const rows = entries.map((entry) => sql`(${sql.join(newColumns.map((column) => entry[column]))})`)
  await sql`insert into audit (${newRefs}) values ${sql.join(rows)}`.execute(db)
}

/** Inserts an entry. If an entry with this id exists, changes only its details. */
export async function putAuditEntry(db: Db, entry: NewEntry): Promise<void> {
  const insert = db.insertInto('audit').values(entry)
  await insert.onConflict((c) => c.column('id').doUpdateSet({ details: entry.details })).execute()
}

export async function listAudit(db: Db, query: AuditQuery, page: { before?: Place | undefined; limit: number }) {
  return readOlder<ShownEntry>(db, list, queryOf(query), page)
}

export async function countFailures(
  db: Db,
  action: string,
  { from, middle, to }: Record<'from' | 'middle' | 'to', number>,
): Promise<{ before: number; after: number }> {
  const { rows } = await sql<{ before: number; after: number }>`
    select count(*) filter (where at < ${middle}) as before, count(*) filter (where at >= ${middle}) as after
    from audit where action = ${action} and result <> 'done' and at >= ${from} and at <= ${to}`.execute(db)
  return rows[0] ?? { before: 0, after: 0 }
}

export async function hasEntry(db: Db, subjectId: string, actions: readonly string[]): Promise<boolean> {
  const entries = db.selectFrom('audit').select('id').where('subject_id', '=', subjectId)
  return (await entries.where('action', 'in', actions).limit(1).executeTakeFirst()) !== undefined
}

export function streamAudit(db: Db, query: AuditQuery, rowsAtOnce: number): AsyncGenerator<ShownEntry[]> {
  return streamRows<ShownEntry>(db, list, queryOf(query), rowsAtOnce)
}
