import type { ItemPublic } from '@/client/types.gen'
import type { ResourceDouble } from './resource-handlers'
import type { ScreenSample } from './screen-sample'

export function makeItem(values: Partial<ItemPublic> = {}): ItemPublic {
  return {
    id: crypto.randomUUID(),
    title: 'Notes',
    description: null,
    owner_id: crypto.randomUUID(),
    created_at: '2026-01-01T00:00:00.000Z',
    ...values,
  }
}

export const itemDouble: ResourceDouble<ItemPublic> = {
  make: makeItem,
  searched: ['title', 'description'],
  filters: [],
  ranges: [],
  sorts: ['created_at', 'title'],
}

export const itemScreen: ScreenSample = {
  path: '/items',
  title: 'Items',
  noun: 'item',
  Noun: 'Item',
  fields: [
    { label: 'Title', text: 'Garden plan', shown: 'Garden plan' },
    { label: 'Description', text: 'Beds and paths', shown: 'Beds and paths' },
  ],
  filters: [],
  files: [],
  body: { title: 'Garden plan', description: 'Beds and paths' },
}
