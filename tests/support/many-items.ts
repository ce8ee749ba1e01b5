import type { ItemPublic } from '@/client/types.gen'
import { makeItem } from './items'

export function manyItems(count: number): ItemPublic[] {
  return Array.from({ length: count }, (_, index) => makeItem({ title: `Item ${index + 1}` }))
}
