import { describe, expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-test-app.ts'
import { buildTestAppWith } from '../../test/people.ts'

const origin = 'https://app.example'
const preflight = {
  origin,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization',
}

describe('other origins', () => {
  test('that are configured may use the API, with credentials and every method', async () => {
    const { app, anonymous } = await buildTestApp({ CORS_ORIGINS: `${origin}, https://other.example` })
    const preflightResponse = await app.inject({ method: 'OPTIONS', url: '/api/v1/users/me', headers: preflight })
    expect(preflightResponse.statusCode).toBe(204)
    expect(preflightResponse.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': expect.stringMatching(/authorization/i),
      vary: expect.stringContaining('Origin'),
    })
    const response = await anonymous.get('/users/me', { headers: { origin } })
    expect(response.statusCode).toBe(401)
    expect(response.headers['access-control-allow-origin']).toBe(origin)
  })

  test.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'null',
    'https://APP.example',
    'HTTPS://app.example',
    'https://app.example.',
    'https://app.example/',
    'https://app.example:443',
    'https://app.example:8443',
    'https://sub.app.example',
    'https://notapp.example',
    'https://app.example@evil.example',
    'https://app.examplé',
    'https://app_example',
    'https://app.example, https://evil.example',
    'https://app.example\thttps://evil.example',
    '*',
    '',
    'file://',
  ])('that are not configured, like %s, may not', async (other) => {
    const { app } = await buildTestApp({ CORS_ORIGINS: origin })
    for (const [method, status] of [
      ['OPTIONS', 204],
      ['GET', 401],
    ] as const) {
      const response = await app.inject({ method, url: '/api/v1/users/me', headers: { ...preflight, origin: other } })
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
      expect(response.statusCode).toBe(status)
    }
  })

  test('may not use the API by default', async () => {
    const { app } = await buildTestApp()
    const preflightResponse = await app.inject({ method: 'OPTIONS', url: '/api/v1/users/me', headers: preflight })
    expect(preflightResponse.statusCode).toBe(405)
    expect(preflightResponse.headers['access-control-allow-origin']).toBeUndefined()
  })
})

test('API responses must not be cached, including errors', async () => {
  const { app } = await buildTestApp()
  for (const url of ['/api/v1/users/me', '/api/v1/nothing', '/api/v1/users/%zz']) {
    const response = await app.inject({ url })
    expect([url, response.headers['cache-control']]).toEqual([url, 'no-store'])
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  }
})

test('a session’s last use is updated once a minute', async () => {
  const { store, clock, ada } = await buildTestAppWith({ ada: {} })
  const lastUsed = async () =>
    (await store.db.selectFrom('sessions').select('last_used_at').executeTakeFirst())?.last_used_at
  const begun = await lastUsed()
  clock.advance(59_999)
  await ada.get('/users/me')
  expect(await lastUsed()).toBe(begun)
  clock.advance(1)
  await ada.get('/users/me')
  expect(await lastUsed()).toBe(clock.now())
})

test('a draining server is not ready, but still serves', async () => {
  const { app, drain, anonymous } = await buildTestApp()
  expect((await app.inject('/readyz')).statusCode).toBe(200)
  drain()
  const unready = await app.inject('/readyz')
  expect([unready.statusCode, unready.json()]).toEqual([503, { detail: 'This server is about to stop' }])
  expect((await app.inject('/livez')).statusCode).toBe(200)
  expect((await anonymous.get('/users/me')).statusCode).toBe(401)
})

test('housekeeping deletes only expired rows', async () => {
  const { anonymous, store, clock, housekeeping, deliverMails, ada } = await buildTestAppWith({ ada: {} })
  await anonymous.post(`/password-recovery/${ada.email}`)
  await deliverMails()
  await housekeeping.runAll()
  const count = async () => ({
    sessions: (await store.db.selectFrom('sessions').select('id').execute()).length,
    tokens: (await store.db.selectFrom('challenges').select('user_id').execute()).length,
    limits: (await store.db.selectFrom('limits').select('key').execute()).length,
  })
  expect(await count()).toEqual({ sessions: 1, tokens: 1, limits: 5 })
  clock.advance(60 * 60_000)
  await housekeeping.runAll()
  expect(await count()).toEqual({ sessions: 1, tokens: 0, limits: 0 })
  clock.advance(24 * 60 * 60_000)
  await housekeeping.runAll()
  expect(await count()).toEqual({ sessions: 0, tokens: 0, limits: 0 })
})
