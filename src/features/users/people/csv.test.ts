import { expect, test } from 'vitest'
import { toCsv, escapeFormulas } from './csv'

test.each([
  ['=1+1', "'=1+1"],
  [' @x', " '@x"],
  ["'=x", "''=x"],
  ['a;"=x', `a;"'=x`],
  ['＝x', "'＝x"],
  ['\tx', "'\tx"],
  ['a-b', 'a-b'],
])('%j is no formula as %j', (text, harmless) => {
  expect(escapeFormulas(text)).toBe(harmless)
})

test('cells with quotes, commas and lines are quoted', () => {
  expect(
    toCsv([
      ['a', 'b'],
      ['x,y', '"z"\n'],
    ]),
  ).toBe('\uFEFFa,b\r\n"x,y","""z""\n"\r\n')
})
