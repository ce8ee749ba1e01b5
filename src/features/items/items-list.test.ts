import { expect, test } from 'vitest'
import { itemsList } from './items-list'

const id = '01890000-0000-7000-8000-00000000beef'

test('of items: the owner must be an id, and only its own dialogs are kept', () => {
  expect(itemsList.search.parse({ owner_id: id })).toEqual({ owner_id: id })
  expect(itemsList.search.parse({ owner_id: `${id}0` })).toEqual({ owner_id: undefined })
  expect(itemsList.search.parse({ role: 'user' })).toEqual({})
  expect(itemsList.search.parse({ edit: '1', invite: '', delete_selected: 'x' })).toEqual({ edit: '1' })
})
