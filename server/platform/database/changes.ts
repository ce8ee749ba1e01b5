import { type Kysely, sql } from 'kysely'
import { isSqlite } from './dialect.ts'
import { addTrigger, columnsOf, type Trigger } from './schema.ts'
import type { Tx } from './store.ts'

// Migrations use this code. If you change what it creates, existing databases need another migration.

/** Columns that change when nobody edits the row, or only to lock the row (`lockUser`). */
const IGNORED = new Set(['created_at', 'last_active_at', 'token_used_at'])

/**
 * Makes triggers that record changes of a table in `changes` (docs/decisions/0034-live-changes.md). A migration which
 * adds columns to the table must call it again, which replaces the triggers.
 * @param owner the column with the account that may learn of the change, besides superusers
 */
export async function recordChanges(
  db: Kysely<unknown>,
  table: string,
  owner: string,
  kinds: readonly Trigger['on'][] = ['insert', 'update', 'delete'],
): Promise<void> {
  const columns = (await columnsOf(db, table)).map(({ name }) => name)
  const updated = columns.filter((name) => !IGNORED.has(name)).toSorted()
  const insert = (rows: string) =>
    `insert into changes (resource, row_id, owner_id) select '${table}', id, ${owner} from ${rows}`
  for (const on of kinds)
    await addTrigger(db, {
      table,
      on,
      name: 'changes',
      columns: owner === 'id' ? ['id'] : ['id', owner],
      updated,
      statements: (rows) => [insert(rows)],
    })
}

/** Deletes the rows of `changes` that `work` has caused for rows of deleted accounts. */
export async function withoutChangesOfDeletedOwners(tx: Tx, work: () => Promise<void>): Promise<void> {
  const last = sql<{ id: number | null }>`select max(id) as id from changes`
  const before = isSqlite(tx) ? (await last.execute(tx)).rows[0]?.id : undefined
  await work()
  const isOfWork = isSqlite(tx) ? sql`id > ${before ?? 0}` : sql`xid = pg_current_xact_id()`
  await sql`delete from changes where ${isOfWork} and owner_id in (select owner_id from deleted_owners)`.execute(tx)
}
