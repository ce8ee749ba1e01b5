import { expect, test } from 'vitest'
import { toNumber } from './to-number'

test('the text of a number field becomes a number, if it is given', () => {
  expect(toNumber({ priority: '-7', title: '8' }, 'priority')).toEqual({ priority: -7, title: '8' })
  expect(toNumber<{ priority: string | null }, 'priority'>({ priority: null }, 'priority')).toEqual({ priority: null })
  expect(toNumber<{ priority?: string }, 'priority'>({}, 'priority')).toEqual({})
})
