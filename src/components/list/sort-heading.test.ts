import { expect, test } from 'vitest'
import { directionOf, nextSort } from './sort-heading'

test('clicks on a heading cycle through ascending, descending and default order', () => {
  expect([undefined, 'title', '-title', 'email'].map((sort) => nextSort('title', sort))).toEqual([
    'title',
    '-title',
    undefined,
    'title',
  ])
})

test('only the sorted field has a direction', () => {
  expect(['title', '-title', 'email', undefined].map((sort) => directionOf('title', sort))).toEqual([
    'ascending',
    'descending',
    undefined,
    undefined,
  ])
})
