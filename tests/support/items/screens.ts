import { makeUser } from '../responses'
import { sampleOfTable } from '../samples'
import { oneItem } from './rows'

const user = makeUser()
const fields = { Title: 'New plan' }

export const addItem = {
  url: '/items?add',
  user,
  fields,
  button: 'Save',
  success: 'Item created successfully.',
}

export const editItem = {
  url: `/items?edit=${oneItem.id}`,
  user,
  fields,
  button: 'Save',
  success: 'Item updated successfully.',
}

/** The operations of items in SPEC 7. */
export const itemOperations = [/^(GET|POST) \/items\/$/, /^(GET|PUT|DELETE) \/items\/[^/]+$/]

/** What the page of items has in front of a back end that has only these operations. */
export const limitedItems = {
  url: '/items',
  cells: { Title: 'Notes' },
  columns: ['ID', ...sampleOfTable('items').fields.map(({ label }) => label), 'Actions'],
  buttons: ['Add Item', 'Clear search', 'Filters', 'Sort', 'Columns', 'Title', 'Actions for Notes'],
  entries: ['Edit', 'Delete'],
}
