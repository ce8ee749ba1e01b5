import type { ItemPublic } from '@/client/types.gen'
import { makeRow } from './samples'

export const makeItem = (values: Partial<ItemPublic> = {}): ItemPublic =>
  makeRow('items', { title: 'Notes', ...values }) as unknown as ItemPublic
