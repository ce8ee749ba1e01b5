import { BLOCK_ROWS, closeBlocks, reopenBlocks } from './blocks.ts'
import type { NewItem } from './items.ts'
import type { Tx } from './store.ts'
import { addToTotal } from './totals.ts'
import { type NewUser, toFlag } from './users.ts'

// Many rows at a time, with all that is counted: for demo data. Rows that are there already stay as they are.

/** Rows for one call: what SQLite takes of values in one statement is the bound (32,766). */
export const BULK_ROWS = 1_000

/** Who cannot be added because the id or the address is there is left out. @returns how many were added */
export async function insertUsers(tx: Tx, users: NewUser[]): Promise<number> {
  await addToTotal(tx, 'users', 0, { alone: true })
  await reopenBlocks(tx, ['users'], oldestOf(users))
  const rows = users.map((user) => ({
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
  await tx
    .insertInto('item_counts')
    .values(added.map(({ id }) => ({ owner_id: id, value: 0 })))
    .execute()
  await addToTotal(tx, 'users', added.length, { alone: true })
  await closeBlocks(tx, 'users')
  return added.length
}

/** Items that are there, or whose owner is not, are left out. @returns how many were added */
export async function insertItems(tx: Tx, items: NewItem[]): Promise<number> {
  const wanted = [...new Set(items.map((item) => item.owner_id))]
  const counts = tx.updateTable('item_counts').returning(['owner_id', 'value'])
  const owners = await counts
    .set((e) => ({ value: e.ref('value') }))
    .where('owner_id', 'in', wanted)
    .execute()
  const known = new Set(owners.map((row) => row.owner_id))
  const rows = items.filter((item) => known.has(item.owner_id))
  if (rows.length === 0) return 0

  await addToTotal(tx, 'items', 0, { alone: true })
  await reopenBlocks(tx, ['items', ...known], oldestOf(rows))
  const insert = tx.insertInto('items').values(rows)
  const added = await insert
    .onConflict((conflict) => conflict.doNothing())
    .returning('owner_id')
    .execute()
  if (added.length === 0) return 0
  await addToTotal(tx, 'items', added.length, { alone: true })
  await closeBlocks(tx, 'items')
  for (const [number, ids] of ownersByNumber(added)) {
    const after = await counts
      .set((e) => ({ value: e('value', '+', number) }))
      .where('owner_id', 'in', ids)
      .execute()
    for (const { owner_id, value } of after) if (value >= 2 * BLOCK_ROWS) await closeBlocks(tx, owner_id)
  }
  return added.length
}

/** The owners of which so many items were added. */
function ownersByNumber(added: { owner_id: string }[]): Map<number, string[]> {
  const numbers = new Map<string, number>()
  for (const { owner_id } of added) numbers.set(owner_id, (numbers.get(owner_id) ?? 0) + 1)
  const owners = new Map<number, string[]>()
  for (const [id, number] of numbers) owners.set(number, [...(owners.get(number) ?? []), id])
  return owners
}

function oldestOf(rows: { created_at: number }[]): number {
  return rows.reduce((oldest, row) => Math.min(oldest, row.created_at), Infinity)
}
