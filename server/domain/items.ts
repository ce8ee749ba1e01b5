import { type Item, items, type ItemSort } from '../store/items.ts'
import { createOwned, type OwnedServices } from './owned.ts'

/** A new item, in the words of the contract. */
interface ItemInput {
  title: string
  description?: string | null
}

export function createItems(services: OwnedServices) {
  return createOwned<Item, ItemSort, ItemInput>(services, {
    table: items,
    name: 'Item',
    complete: ({ title, description = null }) => ({ title, description }),
  })
}
