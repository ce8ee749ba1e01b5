import { BLOCK_ROWS, closeBlocks, reopenBlocks } from './blocks.ts'
import type { NewItem } from './items.ts'
import type { Store, Tx } from './store.ts'
import { addToTotal } from './totals.ts'
import { type NewUser, toFlag } from './users.ts'

// Many rows at a time, with all that is counted: for demo data. Rows that are there already stay as they are.

/** Rows for one call. Eight values each stay far below what SQLite takes in one statement (32,766). */
export const BULK_ROWS = 1_000

/** Who cannot be added because the id or the address is there is left out. @returns how many were added */
export async function insertUsers(tx: Tx, users: NewUser[]): Promise<number> {
  await addToTotal(tx, 'users', 0, { alone: true })
  const missing = await withoutThose(tx, 'users', users)
  if (missing.length === 0) return 0
  await reopenBlocks(tx, ['users'], oldestOf(missing))
  const rows = missing.map((user) => ({
    ...user,
    is_active: toFlag(user.is_active),
    is_superuser: toFlag(user.is_superuser),
  }))
  const insert = tx.insertInto('users').values(rows)
  const added = await insert
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (added.length === 0) return 0
  const counts = added.map(({ id }) => ({ owner_id: id, value: 0 }))
  await tx.insertInto('item_counts').values(counts).execute()
  await addToTotal(tx, 'users', added.length, { alone: true })
  return added.length
}

/** Items that are there, or whose owner is not, are left out. @returns how many were added */
export async function insertItems(tx: Tx, items: NewItem[]): Promise<number> {
  const owners = await lockItemCounts(tx, [...new Set(items.map((item) => item.owner_id))])
  const missing = await withoutThose(tx, 'items', items)
  const rows = missing.filter((item) => owners.has(item.owner_id))
  if (rows.length === 0) return 0
  for (const [number, ids] of ownersByNumber(rows)) {
    await tx
      .updateTable('item_counts')
      .set((e) => ({ value: e('value', '+', number) }))
      .where('owner_id', 'in', ids)
      .execute()
  }
  await addToTotal(tx, 'items', rows.length, { alone: true })
  await reopenBlocks(tx, ['items', ...owners], oldestOf(rows))
  await tx.insertInto('items').values(rows).execute()
  return rows.length
}

/** Closes all blocks that can be closed: after many rows were added, whoever adds the next few could take long to. */
export async function closeAllBlocks(store: Store): Promise<void> {
  const long = await store.db
    .selectFrom('item_counts')
    .select('owner_id')
    .where('value', '>=', 2 * BLOCK_ROWS)
    .execute()
  for (const list of ['users', 'items', ...long.map((row) => row.owner_id)]) {
    let closed: number
    do closed = await store.transaction((tx) => closeAlone(tx, list))
    while (closed > 0)
  }
}

async function closeAlone(tx: Tx, list: string): Promise<number> {
  if (list === 'users' || list === 'items') await addToTotal(tx, list, 0, { alone: true })
  else await lockItemCounts(tx, [list])
  return closeBlocks(tx, list)
}

/** @returns those of the owners who are there */
async function lockItemCounts(tx: Tx, ownerIds: string[]): Promise<Set<string>> {
  const locked = await tx
    .updateTable('item_counts')
    .set((e) => ({ value: e.ref('value') }))
    .where('owner_id', 'in', ownerIds)
    .returning('owner_id')
    .execute()
  return new Set(locked.map((row) => row.owner_id))
}

async function withoutThose<Row extends { id: string }>(tx: Tx, table: 'users' | 'items', rows: Row[]): Promise<Row[]> {
  const ids = rows.map(({ id }) => id)
  const there = await tx.selectFrom(table).select('id').where('id', 'in', ids).execute()
  const known = new Set(there.map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}

/** The owners who have so many of the items. */
function ownersByNumber(items: NewItem[]): Map<number, string[]> {
  const owners = new Map<number, string[]>()
  for (const [id, own = []] of Object.entries(Object.groupBy(items, (item) => item.owner_id))) {
    owners.set(own.length, [...(owners.get(own.length) ?? []), id])
  }
  return owners
}

function oldestOf(rows: { created_at: number }[]): number {
  return rows.reduce((oldest, row) => Math.min(oldest, row.created_at), Infinity)
}
