import { type Item, searchFormsOf } from './items.ts'
import type { Tx } from './store.ts'
import { addToTotal } from './totals.ts'
import { type NewUser, toNewRow } from './users.ts'

// Many rows at a time, with all that is counted: for demo data. Rows that are there already stay as they are.

/** Rows for one call. Ten values each stay far below what SQLite takes in one statement (32,766). */
export const BULK_ROWS = 1_000

/** Who cannot be added because the id or the address is there is left out. @returns how many were added */
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
  const counts = added.map(({ id }) => ({ owner_id: id, value: 0 }))
  await tx.insertInto('item_counts').values(counts).execute()
  await addToTotal(tx, 'users', added.length)
  return added.length
}

/** Items that are there, or whose owner is not, are left out. @returns how many were added */
export async function insertItems(tx: Tx, items: Item[]): Promise<number> {
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
  await addToTotal(tx, 'items', rows.length)
  await tx
    .insertInto('items')
    .values(rows.map((item) => ({ ...item, ...searchFormsOf(item) })))
    .execute()
  return rows.length
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
  const deleted = await tx.selectFrom('deleted_owners').select('owner_id as id').where('owner_id', 'in', ids).execute()
  const known = new Set([...there, ...deleted].map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}

/** The owners who have so many of the items. */
function ownersByNumber(items: Item[]): Map<number, string[]> {
  const owners = new Map<number, string[]>()
  for (const [id, own = []] of Object.entries(Object.groupBy(items, (item) => item.owner_id))) {
    owners.set(own.length, [...(owners.get(own.length) ?? []), id])
  }
  return owners
}
