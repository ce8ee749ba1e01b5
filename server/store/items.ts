import { type ExpressionBuilder, sql } from 'kysely'
import { toSearchForm } from '../lib/search-form.ts'
import { type List, type ListQuery, readPage, type SortOrder, streamRows } from './lists.ts'
import type { Page, PageOf } from './page.ts'
import type { Db, Tx } from './store.ts'
import type { Tables } from './tables.ts'
import { addToTotal, totalOf } from './totals.ts'

export interface Item {
  id: string
  title: string
  description: string | null
  owner_id: string
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

/** Leaves out the items of deleted owners. */
function isKept(e: ExpressionBuilder<Tables, 'items'>) {
  const deleted = e.selectFrom('deleted_owners').select('owner_id')
  // The first part is evaluated once, and decides as long as no owner is being deleted.
  return e.or([e.not(e.exists(deleted)), e('items.owner_id', 'not in', deleted)])
}

/** The columns with search forms, of the texts that are given. */
export function searchFormsOf({ title, description }: ItemChanges) {
  return {
    ...(title !== undefined && { title_search: toSearchForm(title) }),
    ...(description !== undefined && { description_search: description === null ? null : toSearchForm(description) }),
  }
}

/** @returns `undefined` when the owner is not there any more, and then nothing was written */
export async function insertItem(tx: Tx, item: Item): Promise<Item | undefined> {
  if (!(await addToItemCount(tx, item.owner_id, 1))) return undefined
  await addToTotal(tx, 'items', 1)
  await tx
    .insertInto('items')
    .values({ ...item, ...searchFormsOf(item) })
    .execute()
  return item
}

/** @returns what is there under this owner and id by now: the item as it was before, or the new one; otherwise as `insertItem` */
export async function insertItemOnce(tx: Tx, item: Item): Promise<Item | undefined> {
  // The owner's row first, as everywhere: whoever adds the same in this moment is waited for.
  if (!(await addToItemCount(tx, item.owner_id, 0))) return undefined
  return (await findItem(tx, { id: item.id, ownerId: item.owner_id })) ?? insertItem(tx, item)
}

export async function findItem(db: Db, { id, ownerId }: ItemKey): Promise<Item | undefined> {
  let query = db.selectFrom('items').select(itemColumns).where('items.id', '=', id).where(isKept)
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId)
  return query.executeTakeFirst()
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
    .where('items.id', '=', key.id)
    .where(isKept)
  if (key.ownerId !== undefined) query = query.where('owner_id', '=', key.ownerId)
  return query.returning(itemColumns).executeTakeFirst()
}

/** @returns the item as it is then */
export async function updateItem(db: Db, key: ItemKey, changes: ItemChanges): Promise<Item | undefined> {
  const given = Object.entries(changes).filter(([name]) => Object.hasOwn(changeable, name))
  if (given.length === 0) return findItem(db, key)
  const columns: ItemChanges = Object.fromEntries(given)
  let query = db
    .updateTable('items')
    .set({ ...columns, ...searchFormsOf(columns) })
    .where('items.id', '=', key.id)
    .where(isKept)
  if (key.ownerId !== undefined) query = query.where('owner_id', '=', key.ownerId)
  return query.returning(itemColumns).executeTakeFirst()
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
  return tx.deleteFrom('items').where('id', '=', found.id).returning(itemColumns).executeTakeFirstOrThrow()
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

/** Items that a transaction deletes at most, so that on SQLite others wait for some milliseconds only. */
const MAX_DELETED_AT_ONCE = 500

/**
 * Takes the items of a user out of all counts, before `deleteItemsOf`. Nobody adds or deletes one of them from then on.
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

/**
 * Deletes all items of a user, before the user. A few are deleted at once. Nobody sees any of many from now on, and
 * `deleteItemsOfDeletedOwners` deletes them later.
 * @param count as `endItemCount` returned it
 */
export async function deleteItemsOf(tx: Tx, ownerId: string, count: number, now: number): Promise<void> {
  if (count > MAX_DELETED_AT_ONCE) {
    await tx.insertInto('deleted_owners').values({ owner_id: ownerId, deleted_at: now }).execute()
  } else if (count > 0) await tx.deleteFrom('items').where('owner_id', '=', ownerId).execute()
}

/** Deletes some of the items of deleted owners. @returns whether there may be more */
export async function deleteItemsOfDeletedOwners(tx: Tx): Promise<boolean> {
  const next = tx.selectFrom('deleted_owners as next').select('next.owner_id').limit(1)
  // As lockItem does it: another server that is at it waits, and then sees which items are left.
  const owner = await tx
    .updateTable('deleted_owners')
    .set((e) => ({ deleted_at: e.ref('deleted_at') }))
    .where('owner_id', '=', next)
    .returning('owner_id')
    .executeTakeFirst()
  if (!owner) return false
  const some = tx.selectFrom('items').select('id').where('owner_id', '=', owner.owner_id).limit(MAX_DELETED_AT_ONCE)
  const { numDeletedRows } = await tx.deleteFrom('items').where('id', 'in', some).executeTakeFirst()
  if (numDeletedRows === 0n) await tx.deleteFrom('deleted_owners').where('owner_id', '=', owner.owner_id).execute()
  return true
}

export type ItemSort = 'created_at' | 'title'

const list: List<ItemSort> = {
  table: 'items',
  columns: ['id', 'title', 'description', 'owner_id', 'created_at'],
  searched: ['title_search', 'description_search'],
  sorts: { created_at: { column: 'created_at' }, title: { column: 'title_search', isText: true } },
}

export interface ItemsQuery {
  /** In their search form. */
  words: string[]
  /** Leave out for everybody's. */
  ownerId?: string | undefined
  sort: SortOrder<ItemSort>
}

/** An owner with no more items than this is searched without the index, which is over everybody's. */
const SMALL = 5_000

async function queryOf(db: Db, { words, ownerId, sort }: ItemsQuery): Promise<ListQuery<ItemSort>> {
  const deleted = sql`select owner_id from deleted_owners`
  const kept = sql`(not exists (${deleted}) or owner_id not in (${deleted}))`
  if (ownerId === undefined) return { words, sort, filters: [], scope: kept, total: sql`${totalOf(db, 'items')}` }
  const counted = db.selectFrom('item_counts').select('value as count').where('owner_id', '=', ownerId)
  const isSmall = words.length > 0 && ((await counted.executeTakeFirst())?.count ?? 0) <= SMALL
  const scope = sql`owner_id = ${ownerId} and ${kept}`
  return { words, sort, filters: [], scope, total: sql`${counted}`, isSmall }
}

/** A page of the items that match, and how many match. */
export async function listItems(db: Db, query: ItemsQuery, page: Page): Promise<PageOf<Item>> {
  return readPage(db, list, await queryOf(db, query), page)
}

/** All items that match, a part at a time. */
export async function* streamItems(db: Db, query: ItemsQuery, rowsAtOnce: number): AsyncGenerator<Item[]> {
  yield* streamRows<Item, ItemSort>(db, list, await queryOf(db, query), rowsAtOnce)
}
