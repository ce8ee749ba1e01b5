import { expect, test } from 'vitest'
import { tokenSearch } from './token'

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
  expect(tokenSearch.parse({ token: given })).toEqual({ token })
})

test.each([undefined, '', ' ', '.', 7, ['a']])('finds no token in %j', (given) => {
  expect(tokenSearch.parse({ token: given })).toEqual({ token: undefined })
})
