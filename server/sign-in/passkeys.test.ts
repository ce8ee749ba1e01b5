import { describe, expect, test } from 'vitest'
import { type Cbor, createAuthenticator, type Faults } from '../../tests/support/authenticator.ts'
import { buildTestApp, type Client, newPassword, type Person, statusAndBody } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { type Authenticator, begin, logInWith, paths, register, unverified } from '../test/ceremonies.ts'
import { tally } from '../test/two-servers.ts'

const MINUTE = 60_000

const purposes = Object.keys(paths) as (keyof typeof paths)[]
const twenty = Array.from({ length: 20 })

async function setUp() {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  const { key } = await register(ada)
  return { app, ada, key }
}

function endOf(purpose: keyof typeof paths, key: Authenticator, begun: Awaited<ReturnType<typeof begin>>) {
  const { ceremony, options } = begun
  if (purpose !== 'registration') return { ceremony, credential: key.get(options) }
  return { ceremony, credential: createAuthenticator().create({ ...options, user: { id: 'AAAA' } }), name: 'Mine' }
}

const end = (client: Client, purpose: keyof typeof paths, json: unknown) => client.post(paths[purpose].end, json)

async function statusOfEnd(...request: Parameters<typeof end>): Promise<number> {
  return (await end(...request)).statusCode
}

test('a passkey is registered, logs in, is renamed and deleted', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  const { key, made } = await register(ada)
  expect(made.json()).toMatchObject({ name: 'My key', last_used_at: null, is_synced: false })
  const { id } = made.json<{ id: string }>()
  const session = app.as((await logInWith(app, key)).json<{ access_token: string }>().access_token)
  expect((await session.get('/users/me')).json()).toMatchObject({ id: ada.id })
  const url = `/users/me/passkeys/${id}`
  expect((await session.patch(url, { name: 'Phone' })).json()).toMatchObject({ name: 'Phone' })
  expect((await session.patch(url, { name: 'x'.repeat(65) })).statusCode).toBe(422)
  const ben = await app.newUser()
  for (const method of ['PATCH', 'DELETE'] as const)
    expect(statusAndBody(await ben.send(method, url, { name: 'x' }))).toEqual([404, { detail: 'Passkey not found' }])
  expect((await session.delete(url)).statusCode).toBe(200)
  expect(statusAndBody(await logInWith(app, key))).toEqual([404, { detail: 'Passkey not found' }])
  expect((await session.get('/users/me')).statusCode).toBe(200)
  expect((await app.deliverMails()).map(({ to }) => to)).toEqual([ada.email, ada.email])
})

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey of the algorithm %s logs in', async (algorithm) => {
  const app = await buildTestApp()
  const { key, made } = await register(await app.newUser(), createAuthenticator({ algorithm }))
  expect(made.statusCode).toBe(200)
  expect((await logInWith(app, key)).statusCode).toBe(200)
})

test('an old log-in is confirmed first, by password or passkey', async () => {
  const { app, ada, key } = await setUp()
  const attempt = async () => statusAndBody(await ada.post('/users/me/passkeys/options'))[0]
  app.clock.advance(10 * MINUTE)
  const nowhere = await ada.post('/users/me/passkeys', {})
  expect(statusAndBody(nowhere)).toEqual([423, { detail: 'Please confirm that it is you' }])
  expect(await attempt()).toBe(423)
  const { ceremony, options } = await begin(ada, 'confirmation')
  expect((await ada.post('/users/me/confirm', { ceremony, credential: key.get(options) })).statusCode).toBe(200)
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
  const { app, key } = await setUp()
  expect(statusAndBody(await logInWith(app, key, faults))).toEqual(unverified)
  expect((await logInWith(app, key)).statusCode).toBe(200)
})

test('a counter must grow, unless the passkey is backed up', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  const { key } = await register(ada, createAuthenticator(), { counter: 5 })
  expect((await logInWith(app, key, { counter: 6 })).statusCode).toBe(200)
  for (const counter of [6, 5, 0]) expect(statusAndBody(await logInWith(app, key, { counter }))).toEqual(unverified)
  const { key: synced } = await register(ada, createAuthenticator(), { counter: 5, flags: 29 })
  expect((await logInWith(app, synced, { counter: 1, flags: 29 })).statusCode).toBe(200)
})

test('an IP address has no passkeys', async () => {
  const { anonymous } = await buildTestApp({ PUBLIC_URL: 'http://127.0.0.1:8000' })
  const begun = await anonymous.post('/login/passkey/options')
  expect(statusAndBody(begun)).toEqual([409, { detail: 'Passkeys need https or localhost' }])
})

describe('a ceremony', () => {
  test.each(purposes)(
    'of a %s ends only what it was begun for, only once, and within five minutes',
    async (purpose) => {
      const { app, ada, key } = await setUp()
      for (const other of purposes.filter((one) => one !== purpose)) {
        const begun = await begin(ada, purpose)
        expect(await statusOfEnd(ada, other, endOf(other, key, begun))).toBe(400)
        expect(await statusOfEnd(ada, purpose, endOf(purpose, key, begun))).toBe(400)
      }
      const body = endOf(purpose, key, await begin(ada, purpose))
      expect(await statusOfEnd(ada, purpose, body)).toBe(200)
      expect(await statusOfEnd(ada, purpose, body)).toBe(400)
      const late = endOf(purpose, key, await begin(ada, purpose))
      app.clock.advance(5 * MINUTE)
      expect(await statusOfEnd(ada, purpose, late)).toBe(400)
    },
  )

  test.each(purposes)('of a %s is used once by 20 requests at a time', async (purpose) => {
    const { ada, key } = await setUp()
    const body = endOf(purpose, key, await begin(ada, purpose))
    const all = await Promise.all(twenty.map(() => end(ada, purpose, body)))
    expect(tally(all)).toEqual({ 200: 1, 400: 19 })
  })

  test.each(['registration', 'confirmation'] as const)('of a %s is of no use to another account', async (purpose) => {
    const { app, ada, key } = await setUp()
    const ben = await app.newUser()
    const { key: bens } = await register(ben)
    for (const used of [key, bens])
      expect(await statusOfEnd(ben, purpose, endOf(purpose, used, await begin(ada, purpose)))).toBe(400)
  })

  test('that a wrong response used is gone', async () => {
    const { app, key } = await setUp()
    const { ceremony, options } = await begin(app.anonymous, 'log-in')
    const attempt = async (faults: Faults) =>
      statusAndBody(await app.anonymous.post('/login/passkey', { ceremony, credential: key.get(options, faults) }))
    expect(await attempt({ origin: 'https://example.com' })).toEqual(unverified)
    expect(await attempt({})).toEqual(unverified)
  })

  test('leaves those of other tabs alone, of which five are open', async () => {
    const { app, ada, key } = await setUp()
    const begun = []
    for (let i = 0; i < 6; i += 1) {
      app.clock.advance(1)
      begun.push(await begin(ada, 'confirmation'))
    }
    const statuses = await Promise.all(
      begun.map((one) => statusOfEnd(ada, 'confirmation', endOf('confirmation', key, one))),
    )
    expect(statuses).toEqual([400, 200, 200, 200, 200, 200])
  })
})

describe('a registration is refused', () => {
  async function expectRefused(all: Record<string, Faults>): Promise<void> {
    const app = await buildTestApp()
    for (const [what, faults] of Object.entries(all)) {
      const ada = await app.newUser()
      const { made } = await register(ada, createAuthenticator(), faults)
      expect([what, statusAndBody(made), await listOf(ada)]).toEqual([what, unverified, []])
    }
  }

  test('with wrong data of the client or of the authenticator', () =>
    expectRefused({
      'another port': { origin: 'http://localhost:8001' },
      'another host': { origin: 'http://localhost:8000.example.com' },
      'another party': { rpId: 'example.com' },
      'another type': { type: 'webauthn.get' },
      'a frame of another site': { crossOrigin: true },
      'no verification': { flags: 1 },
      'no presence': { flags: 4 },
      'a backup that was not possible': { flags: 21 },
    }))

  test('for the challenge of another one, and with an id that is not the attested one', async () => {
    const { ada } = await buildTestAppWith({ ada: {} })
    const [first, second] = [await begin(ada, 'registration'), await begin(ada, 'registration')] as const
    const send = async (ceremony: string, credential: object) =>
      statusAndBody(await ada.post('/users/me/passkeys', { ceremony, credential, name: 'x' }))
    expect(await send(first.ceremony, createAuthenticator().create(second.options))).toEqual(unverified)
    const { id } = createAuthenticator()
    const made = createAuthenticator().create(second.options)
    expect(await send(second.ceremony, { ...made, id, rawId: id })).toEqual(unverified)
  })

  const p256 = (x: Buffer, y?: Buffer): [number, Cbor][] => [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, x],
    ...(y ? [[-3, y] as [number, Cbor]] : []),
  ]
  const ed25519 = (x: Buffer, curve = 6): [number, Cbor][] => [
    [1, 1],
    [3, -8],
    [-1, curve],
    [-2, x],
  ]
  const rsa = (n: Buffer, e = Buffer.from([1, 0, 1])): [number, Cbor][] => [
    [1, 3],
    [3, -257],
    [-1, n],
    [-2, e],
  ]
  const zeros = Buffer.alloc(32)
  const ones = Buffer.alloc(32, 1)
  /** The generator of P-256, which is a valid point. */
  const [gx, gy] = [
    Buffer.from('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296', 'hex'),
    Buffer.from('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5', 'hex'),
  ] as const
  const odd = Buffer.alloc(256, 255)

  test('of a key that can never sign', () =>
    expectRefused({
      'at infinity': { key: p256(zeros, zeros) },
      'outside of its curve': { key: p256(ones, ones) },
      'without a coordinate': { key: p256(gx) },
      'with a short coordinate': { key: p256(gx.subarray(1), gy) },
      'without a curve': { key: p256(gx, gy).filter(([label]) => label !== -1) },
      'of another curve': { key: p256(gx, gy).map(([label, value]) => (label === -1 ? [label, 2] : [label, value])) },
      'of another algorithm': {
        key: p256(gx, gy).map(([label, value]) => (label === 3 ? [label, -257] : [label, value])),
      },
      'of another kind': { key: ed25519(ones).map(([label, value]) => (label === 3 ? [label, -7] : [label, value])) },
      'of another kind of curve': { key: ed25519(ones, 1) },
      X25519: { key: ed25519(ones, 4) },
      'outside of Ed25519': { key: ed25519(Buffer.concat([Buffer.from([2]), zeros.subarray(1)])) },
      'Ed25519 that is too short': { key: ed25519(ones.subarray(1)) },
      'RSA that is zero': { key: rsa(Buffer.alloc(256)) },
      'RSA that is short': { key: rsa(Buffer.from([7])) },
      'RSA that is even': { key: rsa(Buffer.alloc(256, 254)) },
      'RSA whose exponent is one': { key: rsa(odd, Buffer.from([1])) },
      'RSA whose exponent is huge': { key: rsa(odd, Buffer.alloc(256, 255)) },
      'RSA that is too long to be checked quickly': { key: rsa(Buffer.alloc(1025, 255)) },
    }))

  test('with an id of more than 1,023 bytes', async () => {
    const { ada } = await buildTestAppWith({ ada: {} })
    const statusOf = async (length: number) =>
      statusAndBody((await register(ada, createAuthenticator({ id: Buffer.alloc(length, 7) }))).made)
    expect(await statusOf(1024)).toEqual(unverified)
    expect(await statusOf(1023)).toEqual([200, expect.anything()])
  })

  test('of a passkey of somebody else, also in 20 requests at a time', async () => {
    const { app, ada, key } = await setUp()
    const ben = await app.newUser()
    const second = await register(ben, key)
    expect(statusAndBody(second.made)).toEqual([409, { detail: 'This passkey is already registered' }])
    expect(await listOf(ben)).toEqual([])

    const people = await Promise.all(twenty.map(() => app.newUser()))
    const shared = createAuthenticator()
    const all = await Promise.all(people.map((person) => register(person, shared)))
    expect(tally(all.map(({ made }) => made))).toEqual({ 200: 1, 409: 19 })
    expect(await listOf(ada)).toHaveLength(1)
  })

  test('beyond 20 passkeys, also of requests at a time', async () => {
    const { ada } = await setUp()
    for (let i = 0; i < 18; i += 1) await register(ada)
    const all = await Promise.all([1, 2, 3].map(() => register(ada)))
    expect(tally(all.map(({ made }) => made))).toEqual({ 200: 1, 409: 2 })
    expect(await listOf(ada)).toHaveLength(20)
    const { made } = await register(ada)
    expect(statusAndBody(made)).toEqual([409, { detail: 'At most 20 passkeys' }])
  })
})

async function listOf(person: Person): Promise<unknown[]> {
  return (await person.get('/users/me/passkeys')).json<{ data: unknown[] }>().data
}

test('the passkey of another account neither logs in with the own handle nor confirms', async () => {
  const { app, key } = await setUp()
  const ben = await app.newUser()
  const { options } = await begin(ben, 'registration')
  expect(statusAndBody(await logInWith(app, key, { userHandle: options.user.id }))).toEqual(unverified)

  app.clock.advance(10 * MINUTE)
  const body = endOf('confirmation', key, await begin(ben, 'confirmation'))
  expect(await statusOfEnd(ben, 'confirmation', body)).toBe(400)
  expect((await ben.post('/users/me/passkeys/options')).statusCode).toBe(423)
})

test('a copied passkey logs in once, of 20 at a time', async () => {
  const { app, key } = await setUp()
  const all = await Promise.all(twenty.map(() => logInWith(app, key, { counter: 1 })))
  expect(tally(all)).toEqual({ 200: 1, 400: 19 })
})

test('a confirmation makes only its own session fresh, and none that has ended', async () => {
  const { app, ada, key } = await setUp()
  const other = await app.logIn(ada.email, ada.password)
  app.clock.advance(10 * MINUTE)
  const body = endOf('confirmation', key, await begin(ada, 'confirmation'))
  const late = endOf('confirmation', key, await begin(app.as(other), 'confirmation'))
  expect(await statusOfEnd(ada, 'confirmation', body)).toBe(200)
  const statusOf = async (token: string) => (await app.as(token).post('/users/me/passkeys/options')).statusCode
  expect([await statusOf(ada.token), await statusOf(other)]).toEqual([200, 423])
  await app.as(other).post('/logout')
  expect(await statusOfEnd(app.as(other), 'confirmation', late)).toBe(401)
})

test('deactivation and deletion end passkeys', async () => {
  const { app, ada, key } = await setUp()
  const root = await app.newUser({ is_superuser: true })
  await root.patch(`/users/${ada.id}`, { is_active: false })
  expect(statusAndBody(await logInWith(app, key))).toEqual([400, { detail: 'Inactive user' }])
  await root.delete(`/users/${ada.id}`)
  expect(statusAndBody(await logInWith(app, key))).toEqual([404, { detail: 'Passkey not found' }])
  for (const table of ['passkeys', 'passkey_handles', 'challenges'] as const)
    expect(await app.store.db.selectFrom(table).select('user_id').where('user_id', '=', ada.id).execute()).toEqual([])
})

test('a log-in during a deactivation leaves no session', async () => {
  const { app, ada, key } = await setUp()
  const root = await app.newUser({ is_superuser: true })
  const change = root.patch(`/users/${ada.id}`, { is_active: false })
  const all = await Promise.all([change, ...twenty.map(() => logInWith(app, key))])
  for (const { statusCode } of all) expect([200, 400]).toContain(statusCode)
  expect(await app.store.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id).execute()).toEqual([])
})

test('log-ins of other sites are refused before they count', async () => {
  const { app, key } = await setUp()
  const { ceremony, options } = await begin(app.anonymous, 'log-in')
  const json = { ceremony, credential: key.get(options) }
  const foreign = [400, { detail: 'Log-in from another site is refused' }]
  for (const headers of [{ origin: 'https://example.com' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect(statusAndBody(await app.anonymous.post(paths['log-in'].begin, undefined, { headers }))).toEqual(foreign)
    expect(statusAndBody(await app.anonymous.post('/login/passkey', json, { headers }))).toEqual(foreign)
  }
  expect((await app.anonymous.post('/login/passkey', json)).statusCode).toBe(200)
})

/** Copies of an object, in each of which another of its texts, at any depth, is replaced. */
function variants(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    variants(part, text).map((changed) => (Array.isArray(value) ? [changed] : { ...value, [key]: changed })),
  )
}

const cbor = (bytes: number[], times = 1) =>
  Buffer.alloc(bytes.length * times, Buffer.from(bytes)).toString('base64url')

test.each([
  ['60 KB', 'A'.repeat(60_000)],
  ['8 KB', 'A'.repeat(7_990)],
  ['nested CBOR', cbor([0x81], 11_000)],
  ['CBOR with a huge array', cbor([0x9a, 0xff, 0xff, 0xff, 0xff])],
  ['CBOR with a huge map', cbor([0xbb, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ['CBOR with a huge text', cbor([0x7a, 0xff, 0xff, 0xff, 0xff])],
  ['JSON null', Buffer.from('null').toString('base64url')],
  ['nothing', ''],
  ['other characters', '\u0000 ÿ'],
])('%s in any field is refused', async (_what, text) => {
  const { ada, key } = await setUp()
  for (const purpose of purposes) {
    const bodies = async () => {
      const { ceremony, credential } = endOf(purpose, key, await begin(ada, purpose))
      return variants({ ceremony, credential }, text)
    }
    const { length } = await bodies()
    for (let i = 0; i < length; i += 1) {
      const json = { name: 'Mine', ...((await bodies())[i] as object) }
      expect([400, 404, 422]).toContain(await statusOfEnd(ada, purpose, json))
    }
  }
})

test('nothing tells whether an address has a passkey', async () => {
  const { app, ada } = await setUp()
  const ben = await app.newUser()
  const seen = async ({ email }: { email: string }) => {
    const logIn = await app.tryLogIn(email, 'wrong password')
    const recovery = await app.anonymous.post(`/password-recovery/${email}`)
    const signUp = await app.anonymous.post('/users/signup', { email, password: newPassword, full_name: 'X' })
    return [logIn, recovery, signUp].map(statusAndBody)
  }
  const [first, second] = [await seen(ada), await seen(ben)]
  expect(first).toEqual(second)
  // The options for a log-in do not depend on an address.
  const { options } = await begin(app.anonymous, 'log-in')
  expect(options).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'localhost',
    timeout: 5 * MINUTE,
    userVerification: 'required',
    allowCredentials: [],
  })
})
