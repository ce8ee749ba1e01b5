import { createResourceRules } from '../resource/rules.ts'
import { type Item, type ItemSort, itemsTable } from './queries.ts'

interface ItemInput {
  title: string
  description?: string | null
}

export const items = createResourceRules<Item, ItemSort, ItemInput>({
  table: itemsTable,
  name: 'Item',
  complete: ({ title, description = null }) => ({ title, description }),
})
