import { v7 as uuid } from 'uuid'
import { insertItem, type Item, listItems, type Page } from '../store/items.ts'
import type { Store } from '../store/store.ts'
import { type Actor, visibleOwner } from './access.ts'

export function createItems(options: { store: Store; now: () => number }) {
  const { store, now } = options
  return {
    list: (actor: Actor, page: Page): Promise<{ data: Item[]; count: number }> =>
      listItems(store.db, page, visibleOwner(actor)),

    async create(actor: Actor, input: { title: string; description?: string | null }): Promise<Item> {
      const item = {
        id: uuid(),
        owner_id: actor.user.id,
        title: input.title,
        description: input.description ?? null,
        created_at: now(),
      }
      await insertItem(store.db, item)
      return { ...item, created_at: new Date(item.created_at).toISOString() }
    },
  }
}
