import { expect, test } from 'vitest'
import { initials, shortInitials } from './initials'

const named = (full_name: string | null) => ({ full_name, email: 'zoe@example.com' })

test.each([
  ['Hans Bernd Wilhelm Stefan Koch', 'HBWSK', 'HB'],
  ['ada lovelace', 'AL', 'AL'],
  ['👩🏽‍🚀 Mae Jemison', '👩🏽‍🚀MJ', '👩🏽‍🚀M'],
  [' ', 'Z', 'Z'],
  [null, 'Z', 'Z'],
])('%s: all initials are %s, those of a picture %s', (name, all, short) => {
  expect(initials(named(name))).toBe(all)
  expect(shortInitials(named(name))).toBe(short)
})
