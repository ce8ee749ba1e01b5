import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { buildTestApp, nobody, statusAndBody, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { recordQueries, recordTransactions } from './query-plans.ts'

const proxy = '10.0.0.1'
const attacker = '203.0.113.9'

async function guess({ tryLogIn }: TestApp, email: string, headers: Record<string, string>, ip: string) {
  return (await tryLogIn(email, 'a guess', { headers, ip })).statusCode
}

/** Sends 30 guesses with different headers. @returns the number of guesses that the server checked */
async function guessed(app: TestApp, ip: string, headersOf: (i: number) => Record<string, string>): Promise<number> {
  const { email } = await app.newUser()
  const statuses: number[] = []
  for (let i = 0; i < 30; i += 1) statuses.push(await guess(app, email, headersOf(i), ip))
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  return statuses.filter((status) => status === 400).length
}

const address = (i: number): string => `198.51.100.${i}`

const claims: [string, (i: number) => Record<string, string>][] = [
  ['X-Forwarded-For', (i) => ({ 'x-forwarded-for': address(i) })],
  ['X-Forwarded-For with a chain', (i) => ({ 'x-forwarded-for': `${address(i)}, ${address(i + 50)}, 127.0.0.1` })],
  ['Forwarded', (i) => ({ forwarded: `for=${address(i)};proto=https` })],
  ['X-Real-IP', (i) => ({ 'x-real-ip': address(i) })],
  ['similar headers', (i) => ({ 'true-client-ip': address(i), 'cf-connecting-ip': address(i), via: address(i) })],
  ['User-Agent', (i) => ({ 'user-agent': `robot ${i}` })],
]

describe('guessing a password', () => {
  test.each(claims)('gets no further attempts by %s', async (_what, headersOf) => {
    expect(await guessed(await buildTestApp(), attacker, headersOf)).toBe(10)
  })

  test.each(claims)('gets no further attempts by %s behind a trusted proxy', async (_what, headersOf) => {
    const app = await buildTestApp({ TRUSTED_PROXIES: proxy })
    // The proxy appends the real address to the header of the client.
    const through = (i: number) => {
      const { 'x-forwarded-for': claimed, ...others } = headersOf(i)
      return { ...others, 'x-forwarded-for': claimed === undefined ? attacker : `${claimed}, ${attacker}` }
    }
    expect(await guessed(app, proxy, through)).toBe(10)
  })

  test('gets no further attempts by other spellings of the network address', async () => {
    const app = await buildTestApp({ TRUSTED_PROXIES: proxy })
    const v4 = ['203.0.113.9', '203.0.113.9:1234', '::ffff:203.0.113.9', '::FFFF:cb00:7109', '[::ffff:203.0.113.9]:80']
    const v6 = ['2001:db8::1', '2001:DB8:0:0::2', '2001:0db8:0000::3', '[2001:db8::4]:99', '2001:db8::5%eth0']
    const none = ['unknown', '_hidden', '', '-', '999.1.1.1', "'; drop table limits", '2001:db8::1::2']
    for (const spellings of [v4, v6, none]) {
      const spelled = (i: number) => ({ 'x-forwarded-for': spellings[i % spellings.length] ?? '' })
      // An empty header counts as absent, so these requests count for the proxy.
      const own = spellings.includes('') ? 4 : 0
      expect(await guessed(app, proxy, spelled)).toBe(10 + own)
    }
  })

  test('gets no further attempts by other spellings of the account', async () => {
    const app = await buildTestApp()
    await app.newUser({ email: 'Ärger@Example.com' })
    const spellings = ['ärger@example.com', ' ÄRGER@EXAMPLE.COM ', 'a\u0308rger@example.com', 'äｒger@example.com']
    const statuses: number[] = []
    for (let i = 0; i < 24; i += 1) statuses.push(await guess(app, spellings[i % 4] ?? '', {}, attacker))
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
  })

  test('in parallel from many addresses of one network is checked 10 times', async () => {
    const app = await buildTestApp()
    const { email } = await app.newUser()
    const statuses = await Promise.all(
      Array.from({ length: 50 }, (_, i) => guess(app, email, { 'x-forwarded-for': address(i) }, `2001:db8::${i}`)),
    )
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })
})

describe('responses do not reveal accounts', () => {
  function everythingOf({ statusCode, headers, rawPayload }: LightMyRequestResponse) {
    const { date: _date, 'x-request-id': _id, ...others } = headers
    return { statusCode, headers: others, bytes: rawPayload.toString('hex') }
  }

  test('log-in: identical bytes for an unknown, known, inactive and superuser’s address', async () => {
    const { app, ada, root } = await buildPeopledApp()
    const { email: inactive } = await app.newUser({ is_active: false })
    const unknown = everythingOf(await app.tryLogIn('nobody@example.com', 'a guess'))
    expect(unknown).toMatchObject({ statusCode: 400, headers: { 'content-length': '40' } })
    for (const username of [ada.email, inactive, root.email, 'not an address', '', 'x'.repeat(5000)])
      expect([username, everythingOf(await app.tryLogIn(username, 'a guess'))]).toEqual([username, unknown])
  })

  test('log-in: as many statements for an unknown address as for a known one', async () => {
    const app = await buildTestApp()
    const { email: known } = await app.newUser()
    const [queries, inTransactions] = [recordQueries(app.store), recordTransactions(app.store)]
    const statementsFor = async (email: string) => {
      const before = queries.length + inTransactions.length
      expect(await guess(app, email, {}, attacker)).toBe(400)
      return queries.length + inTransactions.length - before
    }
    for (let round = 0; round < 2; round += 1) {
      const ofKnown = await statementsFor(known)
      expect([ofKnown > 5, await statementsFor('nobody@example.com')]).toEqual([true, ofKnown])
    }
  })

  test('log-in over the limit: identical for a known and an unknown address', async () => {
    const app = await buildTestApp()
    const { email: known } = await app.newUser()
    const last = async (username: string) => {
      for (let i = 0; i < 10; i += 1) await guess(app, username, {}, attacker)
      return everythingOf(await app.tryLogIn(username, 'a guess', { ip: attacker }))
    }
    const response = await last(known)
    expect(response.statusCode).toBe(429)
    expect(await last('nobody@example.com')).toEqual(response)
  })

  test('recovery: identical for every address, also when repeated', async () => {
    const { app, ada } = await buildPeopledApp()
    const { email: inactive } = await app.newUser({ is_active: false })
    const recover = async (email: string) =>
      everythingOf(await app.anonymous.post(`/password-recovery/${encodeURIComponent(email)}`))
    const known = await recover(ada.email)
    for (const email of ['nobody@example.com', inactive, 'not an address', ada.email, ada.email])
      expect([email, await recover(email)]).toEqual([email, known])
  })

  test('reset: identical for every invalid token', async () => {
    const { anonymous } = await buildTestApp()
    const reset = async (token: string) =>
      everythingOf(await anonymous.post('/reset-password/', { token, new_password: 'long enough' }))
    const empty = await reset('')
    for (const token of ['x', 'A'.repeat(43), 'A'.repeat(5000), "' or 1=1 --"])
      expect([token, await reset(token)]).toEqual([token, empty])
  })

  test('superusers’ operations: identical for every account if the caller has no permission', async () => {
    const { ada, eve } = await buildPeopledApp()
    const forbidden = statusAndBody(await eve.patch(`/users/${ada.id}`, { full_name: 'x' }))
    for (const id of [ada.id, nobody, 'not-an-id', eve.id]) {
      expect([id, statusAndBody(await eve.patch(`/users/${id}`, { full_name: 'x' }))]).toEqual([id, forbidden])
      expect([id, statusAndBody(await eve.delete(`/users/${id}`))]).toEqual([id, forbidden])
    }
  })
})
