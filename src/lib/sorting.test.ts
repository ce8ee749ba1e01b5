import { expect, test } from 'vitest'
import { directionOf, nextSort } from './sorting'

test('presses on a heading sort ascending, descending and not by it any more', () => {
  expect([undefined, 'title', '-title', 'email'].map((sort) => nextSort('title', sort))).toEqual([
    'title',
    '-title',
    undefined,
    'title',
  ])
})

test('the direction of a field is that of the sort by it', () => {
  expect(['title', '-title', 'email', undefined].map((sort) => directionOf('title', sort))).toEqual([
    'ascending',
    'descending',
    undefined,
    undefined,
  ])
})
