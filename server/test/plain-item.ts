import type { Item } from '../items/queries.ts'
import { itemSample } from '../items/sample.ts'

/** The fields of an item with the required ones only. */
export const plainItem = itemSample.leastStored as Omit<Item, 'id' | 'owner_id' | 'created_at'>
