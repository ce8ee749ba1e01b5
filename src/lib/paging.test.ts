import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { pageCount, pageNumbers, pageQuery } from './paging'
import { pageNumber } from './search-params'

const toPage = (value: unknown) => z.parse(pageNumber(), value) ?? 1

test.each([
  ['1', 1],
  ['3', 3],
  [7, 7],
])('page %j is %i', (value, page) => {
  expect(toPage(value)).toBe(page)
})

test.each(['0', '-1', '1.5', 'x', '', ' ', undefined, null, true, [2], '1e400', '9007199254740993'])(
  'SPEC 2: page %j is 1',
  (value) => expect(toPage(value)).toBe(1),
)

test('SPEC 7: page N is requested with skip (N-1)*50 and limit 50', () => {
  expect(pageQuery(1)).toEqual({ skip: 0, limit: 50 })
  expect(pageQuery(3)).toEqual({ skip: 100, limit: 50 })
  expect(pageQuery(Number.MAX_SAFE_INTEGER).skip).toBe(2 ** 31 - 1)
})

test.each([
  [0, 1],
  [1, 1],
  [50, 1],
  [51, 2],
  [1_000_000, 20_000],
])('SPEC 9: %i rows have %i pages', (count, pages) => {
  expect(pageCount(count)).toBe(pages)
})

describe('SPEC 9: the linked pages', () => {
  test.each([
    [1, 1, '1'],
    [1, 2, '1 2'],
    [1, 5, '1 2 … 5'],
    [2, 5, '1 2 3 … 5'],
    [3, 5, '1 2 3 4 5'],
    [4, 9, '1 … 3 4 5 … 9'],
    [9, 9, '1 … 8 9'],
    [500, 20_000, '1 … 499 500 501 … 20000'],
  ])('on page %i of %i', (current, last, shown) => {
    expect(
      pageNumbers(current, last)
        .map((page) => (page === 'gap' ? '…' : page))
        .join(' '),
    ).toBe(shown)
  })
})
