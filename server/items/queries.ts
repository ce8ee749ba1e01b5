import { createResourceTable } from '../resource/queries.ts'

export interface Item {
  id: string
  title: string
  description: string | null
  owner_id: string
  created_at: number
}

export type ItemSort = 'created_at' | 'title'

export const itemsTable = createResourceTable<Item, ItemSort>({
  table: 'items',
  fields: { title: 'plain', description: 'plain' },
  filters: [],
  ranges: [],
  searched: ['title', 'description'],
  sorts: { created_at: { column: 'created_at' }, title: { column: 'title_search', isText: true } },
})
