import { expect, test } from 'vitest'
import { choiceText } from './choice-text'

test('a value of a choice is shown as words', () => {
  expect(['open', 'in_progress'].map(choiceText)).toEqual(['Open', 'In Progress'])
})
