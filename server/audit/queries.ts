import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'
import { fewOf, matches } from '../platform/database/lists.ts'
import { statement, type ValueOf } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'

export type NewEntry = Selectable<Tables['audit']>

type AuditEntry = Omit<NewEntry, 'details_search'>

/** An entry with the email addresses of existing accounts. */
export interface ShownEntry extends AuditEntry {
  actor_email: string | null
  subject_email: string | null
}

/** Filters. Absent keys match any value. */
export interface AuditQuery {
  action?: string | undefined
  /** `failed` matches every result but `done`. */
  result?: string | undefined
  actor_id?: string | undefined
  subject_id?: string | undefined
  /** The first and the last millisecond. */
  from?: number | undefined
  to?: number | undefined
  /** Normalized words, all of which are in the details. */
  words?: readonly string[] | undefined
}

const entryColumns = ['id', 'at', 'action', 'result', 'actor_id', 'subject_id', 'origin', 'details'] as const

const columns = ['action', 'result', 'actor_id', 'subject_id'] as const

/** Combinations of filters that have an index. Others may read many entries. */
const INDEXED = new Set([
  '',
  'action',
  'result',
  'action result',
  'actor_id',
  'action actor_id',
  'subject_id',
  'action subject_id',
])

export function isIndexed(query: AuditQuery): boolean {
  return !query.words?.length && INDEXED.has(columns.filter((column) => query[column] !== undefined).join(' '))
}

/** The last entry of a page. */
export type AuditPlace = Pick<AuditEntry, 'at' | 'id'>

/** Only the job of `AUDIT_DAYS` deletes entries. */
export async function insertAuditEntries(db: Db, entries: readonly NewEntry[]): Promise<void> {
  const [entry] = entries
  if (entry && entries.length === 1) await insertEntry(db, entry)
  else await db.insertInto('audit').values(entries).execute()
}

/** Inserts an entry, or changes the details of the one with its id. */
export async function putAuditEntry(db: Db, entry: NewEntry): Promise<void> {
  const { details } = entry
  await db
    .insertInto('audit')
    .values(entry)
    .onConflict((c) => c.column('id').doUpdateSet({ details }))
    .execute()
}

const insertEntry = statement((db, value: ValueOf<NewEntry>) =>
  db.insertInto('audit').values({
    id: value('id'),
    at: value('at'),
    action: value('action'),
    result: value('result'),
    actor_id: value('actor_id'),
    subject_id: value('subject_id'),
    origin: value('origin'),
    details: value('details'),
    details_search: value('details_search'),
  }),
)

/** The newest matching entries, newest first. @param before returns only older ones */
export async function listAudit(
  db: Db,
  query: AuditQuery,
  { before, limit }: { before?: AuditPlace | undefined; limit: number },
): Promise<ShownEntry[]> {
  const words = (await hasFewMatches(db, query)) ? 'few' : 'many'
  let page = matching(db, query, { words, by: await findRarest(db, query) }).limit(limit)
  if (before) {
    page = page
      .where('audit.at', '<=', before.at)
      .where((e) => e.or([e('audit.at', '<', before.at), e('audit.id', '<', before.id)]))
  }
  // Joins only the rows of the page.
  return withAddresses(db, page).execute()
}

/** Whether the matches of words can be collected and sorted, as in lists. */
async function hasFewMatches(db: Db, query: AuditQuery): Promise<boolean> {
  if (!query.words?.length) return false
  const entries = matching(db, query, { words: 'few' }).clearOrderBy().as('entry')
  const counted = db.selectFrom(entries).select((e) => e.fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count <= fewOf({ words: query.words })
}

/** The numbers of failures of an action before and after `middle`, of any kind. */
export async function countFailures(
  db: Db,
  action: string,
  { from, middle, to }: Record<'from' | 'middle' | 'to', number>,
): Promise<{ before: number; after: number }> {
  return matching(db, { action, result: 'failed', from, to })
    .clearSelect()
    .clearOrderBy()
    .select((e) => [
      e.fn.countAll<number>().filterWhere('at', '<', middle).as('before'),
      e.fn.countAll<number>().filterWhere('at', '>=', middle).as('after'),
    ])
    .executeTakeFirstOrThrow()
}

/** Whether one of the actions has happened to an account. */
export async function hasEntry(db: Db, subjectId: string, actions: readonly string[]): Promise<boolean> {
  const entries = db.selectFrom('audit').select('id').where('subject_id', '=', subjectId)
  return (await entries.where('action', 'in', actions).limit(1).executeTakeFirst()) !== undefined
}

/** All matching entries, in parts, from one snapshot. */
export async function* streamAudit(db: Db, query: AuditQuery, rowsAtOnce: number): AsyncGenerator<ShownEntry[]> {
  const compiled = withAddresses(db, matching(db, query)).compile()
  for await (const { rows } of db.getExecutor().stream(compiled, rowsAtOnce)) yield rows
}

/** Limits the count of entries when the rarest filter is determined. */
const MANY = 1_000

/**
 * Finds the filter with the fewest matches for SQLite, which has no statistics per value as PostgreSQL has.
 * @returns `undefined` if not needed
 */
async function findRarest(db: Db, query: AuditQuery): Promise<(typeof columns)[number] | undefined> {
  if (!isSqlite(db) || isIndexed(query) || query.words?.length) return undefined
  let rarest: { column: (typeof columns)[number]; count: number } | undefined
  for (const column of columns.filter((name) => query[name] !== undefined)) {
    const { from, to } = query
    const entries = matching(db, { from, to, [column]: query[column] })
      .clearSelect()
      .clearOrderBy()
      .select('id')
    const counted = db.selectFrom(entries.limit(MANY).as('entry')).select((e) => e.fn.countAll<number>().as('count'))
    const { count } = await counted.executeTakeFirstOrThrow()
    if (!rarest || count < rarest.count) rarest = { column, count }
  }
  return rarest?.column
}

interface Plan {
  /** How entries with words are found: few by the index, many in the order of the log, and all for an export. */
  words?: 'few' | 'many' | 'all'
  /** The filter whose index SQLite must use. */
  by?: (typeof columns)[number] | undefined
}

const searched = { table: 'audit', searched: ['details_search'] } as const

function matching(db: Db, query: AuditQuery, { words: how = 'all', by }: Plan = {}) {
  const { words = [] } = query
  const conditions = conditionsOf(query, by)
  const filters = conditions.map((where) => ({ where }))
  const limit = how === 'few' ? sql`limit ${fewOf({ words }) + 1}` : sql``
  const entries =
    words.length === 0
      ? sql<NewEntry>`audit`
      : sql<NewEntry>`(select audit.* ${matches(db, searched, { words, filters }, { indexed: how !== 'many' })} ${limit})`
  const found = db.selectFrom(entries.as('audit')).select(entryColumns).orderBy('at', 'desc').orderBy('id', 'desc')
  return words.length === 0 ? found.where((e) => e.and(conditions)) : found
}

function conditionsOf({ from, to, ...equal }: AuditQuery, by: Plan['by']): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  for (const column of columns) {
    const value = equal[column]
    if (value === undefined) continue
    // A `+` prevents SQLite from using an index.
    const ref = by === undefined || by === column ? sql.ref(column) : sql`+${sql.ref(column)}`
    const isFailed = column === 'result' && value === 'failed'
    // The condition of the partial indexes.
    conditions.push(isFailed ? sql<SqlBool>`${ref} <> 'done'` : sql<SqlBool>`${ref} = ${value}`)
  }
  if (from !== undefined) conditions.push(sql<SqlBool>`at >= ${from}`)
  if (to !== undefined) conditions.push(sql<SqlBool>`at <= ${to}`)
  return conditions
}

function withAddresses(db: Db, entries: ReturnType<typeof matching>) {
  return db
    .selectFrom(entries.as('entry'))
    .leftJoin('users as actor', 'actor.id', 'entry.actor_id')
    .leftJoin('users as subject', 'subject.id', 'entry.subject_id')
    .selectAll('entry')
    .select(['actor.email as actor_email', 'subject.email as subject_email'])
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc')
}
