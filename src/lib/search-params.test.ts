import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { itemsList } from '@/features/items/items-list'
import { usersList } from '@/features/users/users-list'
import { day, dayOrTime, decimal, defined, tokenSearch, whole } from './search-params'

const id = '01890000-0000-7000-8000-00000000beef'

describe('the URL of a list', () => {
  test.each([
    ['a text', { q: ' Ada  Lovelace ' }, { q: 'Ada  Lovelace' }],
    ['text that looks like a boolean', { q: 'true' }, { q: 'true' }],
    ['text of 255 code points', { q: '🌱'.repeat(255) }, { q: '🌱'.repeat(255) }],
    ['longer text', { q: '🌱'.repeat(256) }, {}],
    ['blank text', { q: ' \u3000\t' }, {}],
    ['text that the API refuses', { q: 'a\0b' }, {}],
    ['an unpaired surrogate', { q: 'a\uD800' }, {}],
    ['a role', { role: 'superuser' }, { role: 'superuser' }],
    ['an unknown role', { role: 'admin' }, {}],
    ['a role in upper case', { role: 'User' }, {}],
    ['a status', { status: 'invited' }, { status: 'invited' }],
    ['an empty status', { status: '' }, {}],
    ['days', { idle_days: '3650' }, { idle_days: 3650 }],
    ['days as a number', { idle_days: 30 }, { idle_days: 30 }],
    ['too many days', { idle_days: '3651' }, {}],
    ['zero days', { idle_days: '0' }, {}],
    ['days in exponential notation', { idle_days: '1e2' }, {}],
    ['days with a leading zero', { idle_days: '030' }, {}],
    ['a sort', { sort: '-email' }, { sort: '-email' }],
    ['the default sort', { sort: '-created_at' }, {}],
    ['the sort of another list', { sort: 'title' }, {}],
    ['names of object properties', { sort: 'constructor', role: '__proto__' }, {}],
    ['page 1', { page: '1' }, { page: 1 }],
    ['a page', { page: '3' }, { page: 3 }],
    ['an invalid page', { page: 'x' }, {}],
  ])('of users: %s', (_, search, read) => {
    expect(defined(usersList.search.parse(search))).toEqual(read)
  })

  test('contains the dialog, which is not part of the API query', () => {
    const search = { q: 'a', edit: '1', add: '', foo: 'x', page: '2' }
    expect(usersList.search.parse(search)).toEqual({ q: 'a', page: 2, add: '', edit: '1' })
    expect(usersList.search.parse({ edit: '1', unknown: '', delete_selected: 'x' })).toEqual({ edit: '1' })
    expect(usersList.toQuery(usersList.search.parse(search))).toEqual({ q: 'a', skip: 50, limit: 50 })
  })

  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('user', 'superuser', 'invited', 'email', '-email', 'title', '1', '3650', '007', '-1', id, '', ' '),
    fc.integer(),
    fc.double(),
    fc.anything(),
  )
  const garbage = fc.dictionary(
    fc.constantFrom('q', 'role', 'status', 'idle_days', 'sort', 'owner_id', 'page', 'add', 'x', '__proto__'),
    value,
  )

  const valid: Record<string, (text: string) => boolean> = {
    q: (text) => text.trim() !== '' && Array.from(text).length <= 255,
    role: (text) => ['user', 'superuser'].includes(text),
    status: (text) => ['active', 'inactive', 'invited'].includes(text),
    idle_days: (text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3650,
    sort: (text) => /^-?(created_at|email|full_name|last_active_at|title)$/.test(text),
    owner_id: (text) => /^[\da-f-]{36}$/i.test(text),
    page: (text) => Number.isSafeInteger(Number(text)) && Number(text) >= 1,
    add: (text) => text === '',
  }

  test.each([
    ['users', usersList.search, (search: object) => usersList.toQuery(usersList.search.parse(search))],
    ['items', itemsList.search, (search: object) => itemsList.toQuery(itemsList.search.parse(search))],
  ])('of %s: any input gives valid parameters, which are read back unchanged', (_, schema, toQuery) => {
    fc.assert(
      fc.property(garbage, (search) => {
        const read = defined(schema.parse(search))
        expect(Object.entries(read).filter(([name, found]) => !valid[name]?.(String(found)))).toEqual([])
        expect(schema.parse(read)).toEqual(read)
        expect(Object.values(toQuery(search))).not.toContain(undefined)
      }),
    )
  })
})

type Rule = ReturnType<typeof whole> | ReturnType<typeof decimal> | ReturnType<typeof day>

const of = (schema: Rule, value: unknown) => z.parse(z.object({ value: schema }), { value }).value

test('days and times that nobody means are dropped', () => {
  for (const text of ['1985-01-01', '1000-01-01', '9999-12-31'])
    for (const rule of [day(), dayOrTime()]) expect(of(rule, text)).toBe(text)
  for (const text of ['0026-11-21', '0999-12-31', '2026-02-29', '2026-11-21T14:03', '', 20_261_121])
    for (const rule of [day(), dayOrTime()]) expect(of(rule, text)).toBeUndefined()
  const time = '2026-11-20T23:00:00.000Z'
  expect([of(day(), time), of(dayOrTime(), time)]).toEqual([undefined, time])
  expect(of(dayOrTime(), '0026-11-20T23:00:00.000Z')).toBeUndefined()
})

test('numbers that the API does not take are dropped', () => {
  for (const [text, value] of [
    ['7', 7],
    [7, 7],
    ['-2147483648', -2_147_483_648],
    ['2147483648', undefined],
    ['1.5', undefined],
    ['－１２', -12],
    ['', undefined],
    [undefined, undefined],
  ])
    expect(of(whole(), text)).toBe(value)
  for (const [text, value] of [
    ['7.5', '7.50'],
    ['-999999999999999', undefined],
    ['x', undefined],
    [undefined, undefined],
  ])
    expect(of(decimal(2), text)).toBe(value)
})

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
