import { describe, expect, test } from 'vitest'
import { buildTestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { emptyProfile } from '../../tests/support/samples.ts'

const hour = 3_600_000

describe('log in', () => {
  test('returns a token that reads the own account', async () => {
    const { logIn, as, ada } = await buildTestAppWith({ ada: { email: 'Ada@example.com', full_name: 'Ada Lovelace' } })
    const token = await logIn(' ADA@example.com ', ada.password)
    expect(token).toMatch(/^[\w-]{43}$/)

    const me = await as(token).get('/users/me')
    expect(me.statusCode).toBe(200)
    expect(me.json()).toEqual({
      ...emptyProfile,
      id: ada.id,
      email: 'Ada@example.com',
      full_name: 'Ada Lovelace',
      is_active: true,
      is_superuser: false,
      created_at: '2026-01-01T00:00:00.000Z',
      last_active_at: '2026-01-01T00:00:00.000Z',
      is_invited: false,
      email_confirmed_at: '2026-01-01T00:00:00.000Z',
      pending_email: null,
      version: expect.any(String),
    })
    expect((await as(token).post('/login/test-token')).json()).toEqual(me.json())
  })

  test('responds alike to a wrong password and an unknown address', async () => {
    const { tryLogIn, ada } = await buildTestAppWith({ ada: {} })
    const wrong = await tryLogIn(ada.email, 'wrong')
    const unknown = await tryLogIn('x@y.z', 'wrong')
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json()).toEqual({ detail: 'Incorrect email or password' })
    expect([unknown.statusCode, unknown.body]).toEqual([400, wrong.body])
  })

  test('rejects an inactive account, and says why only with the right password', async () => {
    const { tryLogIn, ada } = await buildTestAppWith({ ada: { is_active: false } })
    const right = await tryLogIn(ada.email, ada.password)
    expect([right.statusCode, right.json()]).toEqual([400, { detail: 'Inactive user' }])
    expect((await tryLogIn(ada.email, 'wrong')).json()).toEqual({ detail: 'Incorrect email or password' })
  })

  test('accepts a form, not JSON', async () => {
    const { anonymous } = await buildTestApp()
    expect((await anonymous.post('/login/access-token', { username: 'a@b.c', password: 'x' })).statusCode).toBe(415)
  })
})

describe('sessions', () => {
  test('end at log-out; other sessions stay', async () => {
    const { logIn, as, ada } = await buildTestAppWith({ ada: {} })
    const other = await logIn(ada.email, ada.password)
    expect((await ada.post('/logout')).statusCode).toBe(200)

    const after = await ada.get('/users/me')
    expect(after.statusCode).toBe(401)
    expect(after.headers['www-authenticate']).toBe('Bearer')
    expect(after.json()).toEqual({ detail: 'Could not validate credentials' })
    expect((await as(other).get('/users/me')).statusCode).toBe(200)
    expect((await ada.post('/logout')).statusCode).toBe(401)
  })

  test('end after 24 hours without use, and after 7 days in any case', async () => {
    const { as, clock, idle, busy } = await buildTestAppWith({ idle: {}, busy: {} })
    const read = async (token: string) => (await as(token).get('/users/me')).statusCode
    for (let hours = 0; hours < 7 * 24 - 23; hours += 23) {
      expect(await read(busy.token)).toBe(200)
      clock.advance(23 * hour)
    }
    expect(await read(idle.token)).toBe(401)
    clock.advance(8 * hour)
    expect(await read(busy.token)).toBe(401)
  })

  test('need a valid bearer token', async () => {
    const { anonymous, as } = await buildTestApp()
    expect((await anonymous.get('/users/me')).json()).toEqual({ detail: 'Not authenticated' })
    for (const authorization of ['Bearer', 'Basic abc', 'abc']) {
      const answer = await anonymous.get('/users/me', { headers: { authorization } })
      expect([answer.statusCode, answer.json()]).toEqual([401, { detail: 'Not authenticated' }])
    }
    const forged = await as('x'.repeat(43)).get('/users/me')
    expect([forged.statusCode, forged.json()]).toEqual([401, { detail: 'Could not validate credentials' }])
  })
})
