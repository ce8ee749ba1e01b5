import { expect, test } from 'vitest'
import { toBody } from './to-body'

test('converts empty text of nullable fields to null, and text of number fields to numbers', () => {
  const rules = { nullable: ['note', 'rank'], numbers: ['rank', 'size'] } as const
  expect(toBody({ title: '', note: '', rank: '', size: '-7' }, rules)).toEqual({
    title: '',
    note: null,
    rank: null,
    size: -7,
  })
  expect(toBody<{ note?: string; rank?: string; size?: string }, 'note', 'size'>({}, { numbers: ['size'] })).toEqual({})
})
