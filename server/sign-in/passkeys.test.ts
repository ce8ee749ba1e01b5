import { expect, test } from 'vitest'
import { createAuthenticator, type Faults } from '../../tests/support/authenticator.ts'
import { buildTestApp, statusAndBody } from '../test/build-test-app.ts'
import { begin, logInWith, register, unverified } from '../test/ceremonies.ts'

const MINUTE = 60_000

test('a passkey is registered, logs in, is renamed and deleted', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { key, made } = await register(ada)
  expect(made.json()).toMatchObject({ name: 'My key', last_used_at: null, is_synced: false })
  const { id } = made.json<{ id: string }>()
  const entered = await logInWith(app, key)
  const { access_token: token } = entered.json<{ access_token: string }>()
  expect((await app.as(token).get('/users/me')).json()).toMatchObject({ id: ada.id })
  const url = `/users/me/passkeys/${id}`
  expect((await app.as(token).patch(url, { name: 'Phone' })).json()).toMatchObject({ name: 'Phone' })
  const tooLong = await app.as(token).patch(url, { name: 'x'.repeat(65) })
  expect(tooLong.statusCode).toBe(422)
  const ben = await app.newUser()
  for (const method of ['PATCH', 'DELETE'] as const)
    expect(statusAndBody(await ben.send(method, url, { name: 'x' }))).toEqual([404, { detail: 'Passkey not found' }])
  expect((await app.as(token).delete(url)).statusCode).toBe(200)
  expect(statusAndBody(await logInWith(app, key))).toEqual([404, { detail: 'Passkey not found' }])
  expect((await app.as(token).get('/users/me')).statusCode).toBe(200)
  expect((await app.deliverMails()).map(({ to }) => to)).toEqual([ada.email, ada.email])
})

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey of the algorithm %s logs in', async (algorithm) => {
  const app = await buildTestApp()
  const { key, made } = await register(await app.newUser(), createAuthenticator({ algorithm }))
  expect(made.statusCode).toBe(200)
  expect((await logInWith(app, key)).statusCode).toBe(200)
})

test('an old log-in is confirmed first, by password or passkey', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { key } = await register(ada)
  const attempt = async () => statusAndBody(await ada.post('/users/me/passkeys/options'))[0]
  app.clock.advance(10 * MINUTE)
  const nowhere = await ada.post('/users/me/passkeys', {})
  expect(statusAndBody(nowhere)).toEqual([423, { detail: 'Please confirm that it is you' }])
  expect(await attempt()).toBe(423)
  const { ceremony, options } = await begin(ada, 'confirmation')
  const json = { ceremony, credential: key.get(options) }
  expect((await ada.post('/users/me/confirm', json)).statusCode).toBe(200)
  expect(await attempt()).toBe(200)
  expect((await ada.post('/users/me/confirm', {})).statusCode).toBe(422)
})

test.each<Faults & { userHandle?: string | undefined }>([
  { origin: 'https://localhost:8000' },
  { rpId: 'example.com' },
  { type: 'webauthn.create' },
  { crossOrigin: true },
  { flags: 1 },
  { flags: 21 },
  { userHandle: undefined },
  { userHandle: 'AAAA' },
])('a log-in with %j is refused', async (faults) => {
  const app = await buildTestApp()
  const { key } = await register(await app.newUser())
  expect(statusAndBody(await logInWith(app, key, faults))).toEqual(unverified)
  expect((await logInWith(app, key)).statusCode).toBe(200)
})

test('a counter must grow, unless the passkey is backed up', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { key } = await register(ada, createAuthenticator(), { counter: 5 })
  expect((await logInWith(app, key, { counter: 6 })).statusCode).toBe(200)
  for (const counter of [6, 5, 0]) expect(statusAndBody(await logInWith(app, key, { counter }))).toEqual(unverified)
  const { key: synced } = await register(ada, createAuthenticator(), { counter: 5, flags: 29 })
  expect((await logInWith(app, synced, { counter: 1, flags: 29 })).statusCode).toBe(200)
})

test('a ceremony is used once, for its purpose, within five minutes', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { key } = await register(ada)
  const { ceremony, options } = await begin(app.anonymous, 'log-in')
  const json = { ceremony, credential: key.get(options) }
  const all = await Promise.all(Array.from({ length: 20 }, () => app.anonymous.post('/login/passkey', json)))
  expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const other = await begin(ada, 'confirmation')
  const misused = { ceremony: other.ceremony, credential: key.get(other.options) }
  expect(statusAndBody(await app.anonymous.post('/login/passkey', misused))).toEqual(unverified)
  const late = await begin(app.anonymous, 'log-in')
  app.clock.advance(5 * MINUTE)
  const old = { ceremony: late.ceremony, credential: key.get(late.options) }
  expect(statusAndBody(await app.anonymous.post('/login/passkey', old))).toEqual(unverified)
})

test('a deactivated account does not get in, and an IP address has no passkeys', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { key } = await register(ada)
  await app.store.db.updateTable('users').set({ is_active: 0 }).where('id', '=', ada.id).execute()
  expect(statusAndBody(await logInWith(app, key))).toEqual([400, { detail: 'Inactive user' }])
  const other = await buildTestApp({ PUBLIC_URL: 'http://127.0.0.1:8000' })
  expect(statusAndBody(await other.anonymous.post('/login/passkey/options'))).toEqual([
    409,
    { detail: 'Passkeys need https or localhost' },
  ])
})
