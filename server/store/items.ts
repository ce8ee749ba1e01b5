import type { Db } from './store.ts'

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

export interface Page {
  skip: number
  limit: number
}

export async function insertItem(db: Db, item: NewItem): Promise<void> {
  await db.insertInto('items').values(item).execute()
}

/** A page of items, newest first, and how many there are in all. @param ownerId leave out for everybody's */
export async function listItems(
  db: Db,
  { skip, limit }: Page,
  ownerId?: string,
): Promise<{ data: Item[]; count: number }> {
  const visible =
    ownerId === undefined ? db.selectFrom('items') : db.selectFrom('items').where('owner_id', '=', ownerId)
  const rows = await visible
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute()
  const { count } = await visible.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return {
    data: rows.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() })),
    count,
  }
}
