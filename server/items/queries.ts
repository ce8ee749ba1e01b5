import type { ItemPublic, ItemSort, ItemsReadItemsData } from '../contract/index.ts'
import { createResourceTable, type RowOf, type SortOf } from '../resource/queries.ts'

export type Item = RowOf<ItemPublic>

export const itemsTable = createResourceTable<Item, SortOf<ItemSort>, NonNullable<ItemsReadItemsData['query']>>({
  table: 'items',
  fields: {
    title: { isSearched: true },
    description: { isSearched: true },
  },
  filters: {},
})
