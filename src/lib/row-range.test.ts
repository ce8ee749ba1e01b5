import { expect, test } from 'vitest'
import { rangeBetween } from './row-range'

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))

test.each([
  ['a', 2, 'abc'],
  ['d', 1, 'bcd'],
  ['b', 1, 'b'],
  ['x', 2, 'c'],
  [undefined, 0, 'a'],
])('from %s to row %i: %s', (from, to, expected) => {
  const range = rangeBetween(rows, from, rows[to] ?? { id: '' })
  expect(range.map(({ id }) => id).join('')).toBe(expected)
})
