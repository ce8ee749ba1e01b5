import type { ItemPublic } from '@/client/types.gen'
import { makeRow } from '../samples'

export const itemsPath = '/items'

export const makeItem = (values: Partial<ItemPublic> = {}): ItemPublic =>
  makeRow('items', { title: 'Notes', ...values }) as unknown as ItemPublic

export function manyItems(count: number): ItemPublic[] {
  return Array.from({ length: count }, (_, index) => makeItem({ title: `Item ${index + 1}` }))
}

interface Host {
  rowsOf: (table: string) => object[]
}

export const itemsIn = (backend: Host): ItemPublic[] => backend.rowsOf('items') as ItemPublic[]

export const oneItem = makeItem({ title: 'Notes' })

/** Adds a copy, which a test may change. */
export function withItem(backend: Host): void {
  itemsIn(backend).push({ ...oneItem })
}
