import { expect, test } from 'vitest'
import { type Answers, tidy, toPersonRows, withAnswer } from './people'
import { readPeople } from './read-people'

const nothing: Answers = new Map()

const problems = async (text: string, corrections = {}) =>
  toPersonRows((await readPeople(text)).rows, corrections, nothing).map(({ problem }) => problem)

test('a repeated address does not keep the row before from being invited, nor does a wrong row another', async () => {
  expect(await problems('email,is_superuser\nada@x.y,perhaps\nada@x.y,\nADA@x.y,')).toEqual([
    'Must be true, false or empty. is_superuser: “perhaps”',
    undefined,
    'The same address as in line 3.',
  ])
})

test('corrections are found again when another line of the text changes', async () => {
  const { rows } = await readPeople('email\nada\nben@x.y\nben@x.y')
  const [ada, ben, again] = toPersonRows(rows, {}, nothing)
  const corrections = {
    [ada?.key ?? '']: { email: 'ada@x.y', full_name: null, is_superuser: false },
    [again?.key ?? '']: null,
  }
  expect(ben?.key).not.toBe(again?.key)
  const { rows: longer } = await readPeople('email\ncleo@x.y\n\nada\nben@x.y\nben@x.y')
  const corrected = toPersonRows(longer, corrections, nothing)
  expect(corrected.map(({ line, person, problem }) => [line, person.email, problem])).toEqual([
    [2, 'cleo@x.y', undefined],
    [4, 'ada@x.y', undefined],
    [5, 'ben@x.y', undefined],
  ])
})

test('an answer is about the addresses that were asked', () => {
  const before: Answers = new Map([
    ['a@x.y', { hasAccount: true }],
    ['b@x.y', { hasAccount: true }],
    ['c@x.y', { problem: 'No' }],
  ])
  const asked = ['b@x.y', 'C@x.y'].map((email) => ({ email, full_name: null, is_superuser: false }))
  const after = withAnswer(before, asked, { existing: [], errors: [{ row: 1, field: 'email', detail: 'Too many' }] })
  expect(Object.fromEntries(after)).toEqual({
    'a@x.y': { hasAccount: true },
    'b@x.y': { problem: 'Too many' },
    'c@x.y': {},
  })
})

test('blanks around a name and an address are no part of them', () => {
  const person = { email: ' ａ@x.y ', full_name: '  ', is_superuser: true }
  expect(tidy(person)).toEqual({ email: 'a@x.y', full_name: null, is_superuser: true })
})
