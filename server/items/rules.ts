import { createResourceRules } from '../resource/rules.ts'
import { type Item, type ItemSort, itemsTable } from './queries.ts'

/** A new item, in the words of the contract. */
interface ItemInput {
  title: string
  description?: string | null
}

export const items = createResourceRules<Item, ItemSort, ItemInput>({
  table: itemsTable,
  name: 'Item',
  complete: ({ title, description = null }) => ({ title, description }),
})
