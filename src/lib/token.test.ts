import { expect, test } from 'vitest'
import { toToken } from './token'

const token = `-${'aZ9_'.repeat(10)}1-`

test.each([
  ['nothing', token],
  ['blanks', ` ${token}  `],
  ['a full stop', `${token}.`],
  ['a bracket', `${token}>`],
  ['a bracket and a full stop', `${token}>.`],
  ['an escaped blank that was escaped again', `${token}%20`],
  ['a no-break space', `${token}\u00A0`],
])('reads the token of a link that is followed by %s', (_, given) => {
  expect(toToken({ token: given })).toEqual({ token })
})

test.each([undefined, '', ' ', '.', 7, ['a']])('finds no token in %j', (given) => {
  expect(toToken({ token: given })).toEqual({})
})
