import { describe, expect, test } from 'vitest'
import { addressesOf, joinAddresses, pastedAddresses, reasonsAgainst, splitAddresses } from './addresses'

const person = (name: string | null, address: string) => ({ name, address })

describe('splitAddresses', () => {
  test.each<[title: string, text: string, chips: number, typed: string]>([
    ['an address that is being typed', 'a@x.y; b@x', 1, 'b@x'],
    ['an address and a blank', 'a@x.y; b@x.y ', 2, ''],
    ['an address and a full-width comma', 'a@x.y，b@x.y，', 2, ''],
    ['a name that is being typed', 'a@x.y; b@x.y; Cy ', 2, 'Cy '],
    ['a name and a part of its address', 'a@x.y; Cy Diaz <cy@', 1, 'Cy Diaz <cy@'],
    ['a person', 'a@x.y; Cy Diaz <cy@x.y>', 2, ''],
  ])('%s', (_, text, chips, typed) => {
    const several = splitAddresses(text)
    expect(several?.chips).toHaveLength(chips)
    expect(several?.typed).toBe(typed)
  })

  test.each(['', 'Ada', 'Ada Lovelace', 'a@x.y', 'a@x.y, ', 'Ada <a@x.y>'])('not %o', (text) =>
    expect(splitAddresses(text)).toBeNull(),
  )
})

test('joined people are read again as they were', () => {
  const people = [
    person('Lovelace, Ada', 'ada@x.y'),
    person(null, 'Hopper'),
    person('Dora; (D.)', 'dora@x.y'),
    person(null, 'ben@'),
    person("O'Hara's", 'o@x.y'),
  ]
  const text = joinAddresses(people)
  expect(addressesOf(text)).toMatchObject(people)
  expect(splitAddresses(`${text}E`)).toMatchObject({ chips: people, typed: 'E' })
})

test('addresses of one account are given twice', () => {
  const people = ['a@x.y', 'b@', 'A@X.Y', 'ａ@x.y', 'b@x.y'].map((address) => person(null, address))
  expect(reasonsAgainst(people)).toEqual([undefined, 'Invalid email address', 'Given twice', 'Given twice', undefined])
})

test('more text than the most people need is not read', () => {
  const text = 'a@x.y '.repeat(20_000)
  expect(pastedAddresses(text)).toBeUndefined()
  expect(addressesOf(text)).toHaveLength(1)
})
