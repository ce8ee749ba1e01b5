import { expect, test } from 'vitest'
import { isAtLeast, placesOf, toDecimal } from './decimal'

test.each([
  ['12', '12.00'],
  ['12.5', '12.50'],
  ['12,5', '12.50'],
  ['.5', '0.50'],
  ['7.', '7.00'],
  ['+007.50', '7.50'],
  ['-0', '0.00'],
  ['-0.01', '-0.01'],
  ['9999999999999.99', '9999999999999.99'],
])('%s is the decimal %s', (typed, decimal) => {
  expect(toDecimal(typed, 2)).toBe(decimal)
})

test.each(['', '.', '-', '1.005', '1e3', '0x1', '1,234', '1.2.3', '１', 'x', '1 2'])('%j is no decimal', (typed) => {
  expect(toDecimal(typed, 2)).toBeUndefined()
})

test('decimals are compared by their value', () => {
  expect(isAtLeast('-1.00', '-2.00')).toBe(true)
  expect(isAtLeast('9.00', '10.00')).toBe(false)
  expect(isAtLeast('10.00', '10.00')).toBe(true)
  expect(placesOf('-0.125')).toBe(3)
})
