import { expect, test } from 'vitest'
import { choiceText, rangeText } from './text'

test.each([
  [0, 50, 5012, '1–50 of 5,012 users'],
  [5000, 12, 5012, '5,001–5,012 of 5,012 users'],
  [0, 1, 1, '1 user'],
  [0, 0, 0, '0 users'],
])('from %i, %i rows of %i: %s', (skip, rows, count, text) => {
  expect(rangeText(skip, rows, count, 'user')).toBe(text)
})

test('uses a given plural', () => {
  expect(rangeText(0, 2, 2, 'category', 'categories')).toBe('1–2 of 2 categories')
  expect(rangeText(0, 1, 1, 'category', 'categories')).toBe('1 category')
})

test('a value of a choice is shown as words', () => {
  expect(['open', 'in_progress'].map(choiceText)).toEqual(['Open', 'In Progress'])
})
