import { sql } from 'kysely'
import type { createResourceTable, ResourceRow } from '../../server/resource/queries.ts'
import { isSqlite } from '../../server/platform/database/dialect.ts'
import type { Db, Tx } from '../../server/platform/database/store.ts'
import type { ResourceTable } from '../../server/tables.ts'
import { addActiveUsers, dayOf } from '../../server/users/days-queries.ts'
import { type NewUser, toNewRow } from '../../server/users/queries.ts'

/** With ten values per row, a statement stays below the 32,766 parameters of SQLite. */
export const BULK_ROWS = 1_000

export type BulkTable<Row extends ResourceRow> = Pick<
  ReturnType<typeof createResourceTable<Row, never>>,
  'table' | 'insertMany'
>

/** Inserts users, except those whose id or address exists. @returns the number of inserted users */
export async function insertUsers(tx: Tx, users: NewUser[]): Promise<number> {
  const missing = await withoutThose(tx, 'users', users)
  if (missing.length === 0) return 0
  const rows = missing.map(toNewRow)
  const added = await tx
    .insertInto('users')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (added.length === 0) return 0
  await countActivity(tx, rows, new Set(added.map(({ id }) => id)))
  return added.length
}

async function countActivity(
  tx: Tx,
  rows: readonly { id: string; last_active_at: number | null }[],
  added: Set<string>,
) {
  const days = new Map<number, number>()
  for (const { id, last_active_at: at } of rows)
    if (at !== null && added.has(id)) days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + 1)
  for (const [day, number] of days) await addActiveUsers(tx, day, number)
}

export async function insertResourceRows<Row extends ResourceRow>(
  tx: Tx,
  resource: BulkTable<Row>,
  rows: Row[],
): Promise<Row[]> {
  const owners = await ownersOf(tx, rows)
  const missing = (await withoutThose(tx, resource.table, rows)).filter((row) => owners.has(row.owner_id))
  if (missing.length > 0) await resource.insertMany(tx, missing)
  return missing
}

/** Finds the existing owners, and locks them so that they are not deleted before the transaction ends. */
async function ownersOf(tx: Tx, rows: readonly ResourceRow[]): Promise<Set<string>> {
  const ids = [...new Set(rows.map((row) => row.owner_id))]
  const owners = tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id')
  return new Set((await (isSqlite(tx) ? owners : owners.forKeyShare()).execute()).map(({ id }) => id))
}

const MAX_LINKABLE = 100_000

export async function readLinkable(db: Db, table: ResourceTable): Promise<{ id: string; owner_id: string }[]> {
  const rows = db.selectFrom(table as 'users').select(['id', sql<string>`owner_id`.as('owner_id')])
  return rows.orderBy('id').limit(MAX_LINKABLE).execute()
}

async function withoutThose<Row extends { id: string }>(
  tx: Tx,
  table: 'users' | ResourceTable,
  rows: Row[],
): Promise<Row[]> {
  const ids = rows.map(({ id }) => id)
  const there = await tx
    .selectFrom(table as 'users')
    .select('id')
    .where('id', 'in', ids)
    .execute()
  const known = new Set(there.map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}
