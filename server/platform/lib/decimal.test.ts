import { expect, test } from 'vitest'
import { fromScaled, toScaled } from './decimal.ts'

test.each([
  ['0.00', 0, 2],
  ['0.05', 5, 2],
  ['-0.05', -5, 2],
  ['12.50', 1250, 2],
  ['-12.5', -125, 1],
  ['9999999999999.99', 999_999_999_999_999, 2],
  ['-0.00000000000001', -1, 14],
])('the decimal %s is stored as %d', (text, value, places) => {
  expect(toScaled(text)).toBe(value)
  expect(fromScaled(value, places)).toBe(text)
})
