import type { Edited } from '../edited'
import { itemsIn, makeItem } from './rows'

export const itemForm: Edited = {
  subject: 'This item',
  saved: 'Item updated successfully.',
  url: '/items',
  prepare: (backend) => {
    const row = makeItem({ title: 'Notes', description: 'Old' })
    itemsIn(backend).push(row)
    return { row, menu: 'Actions for Notes' }
  },
  path: (id) => `/items/${id}`,
  method: 'PUT',
  typed: { label: 'Title', key: 'title', was: 'Notes' },
  other: { label: 'Description', key: 'description' },
  hasOther: true,
}
