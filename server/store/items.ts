import {
  closeBlocks,
  countOutOfBlocks,
  countOwnerOutOfBlocks,
  deleteBlocks,
  isTimeToClose,
  reopenBlocks,
  skipRows,
} from './blocks.ts'
import type { Page, PageOf } from './page.ts'
import type { Db, Tx } from './store.ts'
import { addToTotal, totalOf } from './totals.ts'

/** An item as everyone above the store knows it: the contract's ItemPublic. */
export interface Item {
  id: string
  title: string
  description: string | null
  owner_id: string
  created_at: string
}

export interface NewItem extends Omit<Item, 'created_at'> {
  created_at: number
}

/** What can be changed of an item. Absent keys keep their value. */
export type ItemChanges = Partial<Omit<Item, 'id' | 'owner_id' | 'created_at'>>

/** A record, so that none is forgotten: the compiler misses what is not in it. */
const changeable: Record<keyof ItemChanges, true> = { title: true, description: true }

/** Which item, and for whom: without an owner, whoever it belongs to. */
export interface ItemKey {
  id: string
  ownerId: string | undefined
}

const itemColumns = ['items.id', 'items.title', 'items.description', 'items.owner_id', 'items.created_at'] as const

function toItem(row: NewItem): Item {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    owner_id: row.owner_id,
    created_at: new Date(row.created_at).toISOString(),
  }
}

/** @returns `undefined` when the owner is not there any more, and then nothing was written */
export async function insertItem(tx: Tx, item: NewItem): Promise<Item | undefined> {
  if (!(await addToItemCount(tx, item.owner_id, 1))) return undefined
  const lists = ['items', item.owner_id]
  const alone = isTimeToClose()
  await addToTotal(tx, 'items', 1, { alone })
  await reopenBlocks(tx, lists, item.created_at)
  await tx.insertInto('items').values(item).execute()
  if (alone) for (const list of lists) await closeBlocks(tx, list)
  return toItem(item)
}

/** @returns what is there under this owner and id by now: the item as it was before, or the new one; otherwise as `insertItem` */
export async function insertItemOnce(tx: Tx, item: NewItem): Promise<Item | undefined> {
  // The owner's row first, as everywhere: whoever adds the same in this moment is waited for.
  if (!(await addToItemCount(tx, item.owner_id, 0))) return undefined
  return (await findItem(tx, { id: item.id, ownerId: item.owner_id })) ?? insertItem(tx, item)
}

export async function findItem(db: Db, { id, ownerId }: ItemKey): Promise<Item | undefined> {
  let query = db.selectFrom('items').select(itemColumns).where('items.id', '=', id)
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId)
  const row = await query.executeTakeFirst()
  return row && toItem(row)
}

/**
 * An item as it is now, and stays until this transaction ends: whoever wants to change it meanwhile waits. Not before
 * `deleteItem`, which has an order to keep.
 */
export async function lockItem(tx: Tx, key: ItemKey): Promise<Item | undefined> {
  // As lockUser does it.
  let query = tx
    .updateTable('items')
    .set((e) => ({ created_at: e.ref('created_at') }))
    .where('id', '=', key.id)
  if (key.ownerId !== undefined) query = query.where('owner_id', '=', key.ownerId)
  const row = await query.returning(itemColumns).executeTakeFirst()
  return row && toItem(row)
}

/** @returns the item as it is then */
export async function updateItem(db: Db, key: ItemKey, changes: ItemChanges): Promise<Item | undefined> {
  const given = Object.entries(changes).filter(([name]) => Object.hasOwn(changeable, name))
  if (given.length === 0) return findItem(db, key)
  const columns: ItemChanges = Object.fromEntries(given)
  let query = db.updateTable('items').set(columns).where('id', '=', key.id)
  if (key.ownerId !== undefined) query = query.where('owner_id', '=', key.ownerId)
  const row = await query.returning(itemColumns).executeTakeFirst()
  return row && toItem(row)
}

/** @returns the item as it was */
export async function deleteItem(tx: Tx, key: ItemKey): Promise<Item | undefined> {
  const found = await findItem(tx, key)
  // The owner's row of item_counts before the item, as everywhere: in one order, nobody waits for each other in a circle.
  if (!found || !(await addToItemCount(tx, found.owner_id, -1))) return undefined
  // Whoever deleted it a moment ago was waited for at that row.
  if (!(await findItem(tx, key))) {
    await addToItemCount(tx, found.owner_id, 1)
    return undefined
  }
  await addToTotal(tx, 'items', -1)
  await countOutOfBlocks(tx, ['items', found.owner_id], Date.parse(found.created_at))
  const deleted = await tx
    .deleteFrom('items')
    .where('id', '=', found.id)
    .returning(itemColumns)
    .executeTakeFirstOrThrow()
  return toItem(deleted)
}

/** @returns false when there is no such user */
async function addToItemCount(tx: Tx, ownerId: string, by: number): Promise<boolean> {
  const result = await tx
    .updateTable('item_counts')
    .set((e) => ({ value: e('value', '+', by) }))
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Takes what a user has out of all counts, before `deleteItemsOf`. Nobody adds an item of theirs or deletes one from then on.
 * @returns how many items there are; `undefined` when there is no such user
 */
export async function endItemCount(tx: Tx, ownerId: string): Promise<number | undefined> {
  const counted = await tx
    .deleteFrom('item_counts')
    .where('owner_id', '=', ownerId)
    .returning('value')
    .executeTakeFirst()
  if (counted && counted.value > 0) await addToTotal(tx, 'items', -counted.value)
  return counted?.value
}

/** Deletes whatever a user has, before the user. @param count what `endItemCount` said */
export async function deleteItemsOf(tx: Tx, ownerId: string, count: number): Promise<void> {
  if (count > 0) await countOwnerOutOfBlocks(tx, ownerId)
  // Also where no item is left: each took its one off its block, and the blocks stayed.
  await deleteBlocks(tx, ownerId)
  if (count > 0) await tx.deleteFrom('items').where('owner_id', '=', ownerId).execute()
}

/**
 * A page of items, newest first, and how many there are in all, in one query. What is skipped is skipped in blocks and in
 * the index, and only the rows of the page are read.
 * @param ownerId leave out for everybody's
 */
export async function listItems(db: Db, { skip, limit }: Page, ownerId?: string): Promise<PageOf<Item>> {
  const total =
    ownerId === undefined
      ? totalOf(db, 'items')
      : db.selectFrom('item_counts').select('value as count').where('owner_id', '=', ownerId)
  const start = skipRows(db, ownerId ?? 'items', skip, total)
  let visible = db.selectFrom('items').select(['items.id', 'items.created_at'])
  if (ownerId !== undefined) visible = visible.where('owner_id', '=', ownerId)
  if (start.until) visible = visible.where('created_at', '<=', start.until)
  const page = visible.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(start.offset)
  const rows = await start.db
    .selectFrom(total.as('total'))
    .leftJoin(page.as('page'), (join) => join.onTrue())
    .leftJoin('items', 'items.id', 'page.id')
    .select(['total.count', ...itemColumns])
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc')
    .execute()
  return { data: rows.flatMap((row) => (isItem(row) ? toItem(row) : [])), count: rows[0]?.count ?? 0 }
}

/** A page without rows is one row with the count alone. */
function isItem(row: { [key in keyof NewItem]: NewItem[key] | null }): row is NewItem {
  return row.id !== null
}
