import { describe, expect, test } from 'vitest'
import { newPassword, nobody } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import { profileFields } from '../../tests/support/samples.ts'

type User = Record<string, unknown> & { id: string }

async function setUp() {
  const { app, root } = await buildTestAppWith({ root: { is_superuser: true } })
  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, json?: object, person = root) => {
    const response = await person.send(method, url, json)
    expect(response.statusCode).toBe(200)
    return response.json<User>()
  }
  return { ...app, root, send }
}

const samples = profileFields.map(({ name, full, other, absent }) => [name, full, other, absent] as const)

describe.each(samples)('the field %s of an account', (field, value, other, nothing) => {
  test('is what its owner last wrote, and stays where a change leaves it out', async () => {
    const { newUser, send, store } = await setUp()
    const ada = await newUser()
    const change = async (json: object) => (await send('PATCH', '/users/me', json, ada))[field]
    expect([await change({}), await change({ [field]: value }), await change({})]).toEqual([nothing, value, value])
    expect(await change({ [field]: other })).toBe(other)
    expect((await auditOf({ store })).at(-1)?.details).toEqual({ [field]: { from: value, to: other } })
    expect([await change({ [field]: nothing }), (await send('GET', '/users/me', undefined, ada))[field]]).toEqual([
      nothing,
      nothing,
    ])
  })

  test('is set and changed by a superuser', async () => {
    const { send } = await setUp()
    const given = { email: 'new@example.com', password: newPassword }
    const { id, ...made } = await send('POST', '/users/', { ...given, [field]: value })
    expect(made[field]).toBe(value)
    expect((await send('PATCH', `/users/${id}`, { [field]: other }))[field]).toBe(other)
    expect((await send('PATCH', `/users/${id}`, { is_active: true }))[field]).toBe(other)
    expect((await send('PATCH', `/users/${id}`, { [field]: nothing }))[field]).toBe(nothing)
    expect((await send('GET', `/users/${id}`))[field]).toBe(nothing)
  })
})

test('keys outside the contract change nothing in an account', async () => {
  const { root, send, store } = await setUp()
  const extra = { id: nobody, created_at: '1999-01-01T00:00:00Z', is_invited: true, email_key: 'x', anything: 1 }
  const given = { password: newPassword, ...extra }
  await send('POST', '/users/', { email: 'one@example.com', ...given })
  await send('POST', '/users/signup', { email: 'two@example.com', is_superuser: true, ...given })
  await send('POST', '/users/invite', { email: 'three@example.com', ...given })
  await send('POST', '/users/import', { rows: [{ email: 'four@example.com', ...given }] })
  const before = await send('GET', '/users/me')
  expect(await send('PATCH', '/users/me', { ...extra, is_active: false })).toEqual(before)
  expect(await send('PATCH', `/users/${root.id}`, extra)).toEqual(before)
  const rows = await store.db.selectFrom('users').select(['id', 'email', 'email_key', 'is_invited']).execute()
  expect(rows.map(({ email, email_key, is_invited }) => [email, email_key, is_invited])).toEqual(
    expect.arrayContaining([
      ['one@example.com', 'one@example.com', 0],
      ['two@example.com', 'two@example.com', 0],
      ['three@example.com', 'three@example.com', 1],
      ['four@example.com', 'four@example.com', 1],
    ]),
  )
  expect(rows.some(({ id }) => id === nobody)).toBe(false)
})
