import { expect, test } from 'vitest'
import { toBody } from './to-body'

test('empty texts become null and numbers become numbers, where the API has them so', () => {
  const rules = { nullable: ['note', 'rank'], numbers: ['rank', 'size'] } as const
  expect(toBody({ title: '', note: '', rank: '', size: '-7' }, rules)).toEqual({
    title: '',
    note: null,
    rank: null,
    size: -7,
  })
  expect(toBody<{ note?: string; rank?: string; size?: string }, 'note', 'size'>({}, { numbers: ['size'] })).toEqual({})
})
