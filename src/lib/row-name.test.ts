import { expect, test } from 'vitest'
import { matchNote } from './row-name'

const row = {
  id: 'anchor',
  owner_id: 'anchor',
  item_id: 'anchor',
  created_at: 'anchor',
  amount: 5,
  title: 'Bell',
  description: 'It hangs beside the Ánchor on the second floor',
  place_name: 'anchor',
}

test.each([
  ['anchor', 'Description: … beside the Ánchor on the second floor'],
  ['bell IT hangs', 'Description: It hangs beside the Ánchor on the second floor'],
  ['anchor bell', 'Description: … beside the Ánchor on the second floor'],
])('the field with %s is named', (searched, note) => {
  expect(matchNote(row, searched)).toBe(note)
})

test.each(['bell', 'ell', '', 'zither'])('nothing is said of %j', (searched) => {
  expect(matchNote(row, searched)).toBeUndefined()
})

test('another field follows', () => {
  expect(matchNote({ title: 'Bell', description: null, contact_person: 'Ada' }, 'ada')).toBe('Contact Person: Ada')
})
