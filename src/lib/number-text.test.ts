import { expect, test } from 'vitest'
import { isAtLeast, placesOf, readNumber } from './number-text'

test.each([
  ['12', '12.00'],
  ['12.5', '12.50'],
  ['12,5', '12.50'],
  [' 12,50\u00A0', '12.50'],
  ['１２．５０', '12.50'],
  ['１２，５', '12.50'],
  ['١٢٫٥', '12.50'],
  ['\u061C-١٢٫٥', '-12.50'],
  ['\u200E−۱۲٫۵', '-12.50'],
  ['१२.५', '12.50'],
  ['.5', '0.50'],
  ['7.', '7.00'],
  ['+007.50', '7.50'],
  ['1234,5', '1234.50'],
  ['-0', '0.00'],
  ['-0.01', '-0.01'],
  ['9999999999999.99', '9999999999999.99'],
])('%j is the decimal %s', (typed, decimal) => {
  expect(readNumber(typed, 2)).toEqual({ value: decimal })
})

test.each([
  ['75', '75'],
  ['-7', '-7'],
  ['−7', '-7'],
  ['–7', '-7'],
  ['－7', '-7'],
  ['１２', '12'],
  ['𝟙𝟚', '12'],
  [' 12 ', '12'],
  ['-0', '0'],
  ['007', '7'],
])('%j is the whole number %s', (typed, whole) => {
  expect(readNumber(typed, 0)).toEqual({ value: whole })
})

const noDecimal = 'Must be a number with at most 2 digits after the point'
const thousands = 'Must be a number without separators of thousands, such as 1234.50'
const noWhole = 'Must be a whole number'
const noPoint = 'Must be a whole number, without a point or a comma'

test.each([
  ...['', '.', '-', '1.005', '1e3', '0x1', 'x', '75-', '7a', '--7', '- 7', '½', '1'.repeat(101), ' '.repeat(1e6)].map(
    (typed) => [typed, noDecimal],
  ),
  ...[
    '1,234',
    '１，２３４',
    '-1,234',
    '1.2.3',
    '1 2',
    '1.234,56',
    '-1,234.56',
    "1'234.50",
    '1 234,50',
    '1,234,567',
  ].map((typed) => [typed, thousands]),
])('%.20j is no decimal', (typed, problem) => {
  expect(readNumber(typed, 2)).toEqual({ problem })
})

test.each([
  ...['', '-', '75-', '7a', '1e3', '0x1', '²'].map((typed) => [typed, noWhole]),
  ...['12,50', '1.5', '7.', '1,234', '1.234', '1 234', '１．５'].map((typed) => [typed, noPoint]),
])('%j is no whole number', (typed, problem) => {
  expect(readNumber(typed, 0)).toEqual({ problem })
})

test('only a comma that could mean thousands is refused', () => {
  expect(readNumber('1,234', 3).problem).toBeDefined()
  for (const typed of ['1.234', '0,125', ',125', '1234,125'])
    expect(readNumber(typed, 3)).toEqual({ value: Number(typed.replace(',', '.')).toFixed(3) })
})

test('decimals are compared by their value', () => {
  expect(isAtLeast('-1.00', '-2.00')).toBe(true)
  expect(isAtLeast('9.00', '10.00')).toBe(false)
  expect(isAtLeast('10.00', '10.00')).toBe(true)
  expect(placesOf('-0.125')).toBe(3)
})
