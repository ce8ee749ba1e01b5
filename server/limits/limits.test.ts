import { describe, expect, test } from 'vitest'
import { subnet } from '../platform/lib/network-address.ts'
import { setPassword } from '../operator/rules.ts'
import { statusAndBody, buildTestApp, createClock, newPassword, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { createTestDatabase } from '../test/databases.ts'

const minute = 60_000
const here = '192.0.2.1'

async function attempt({ tryLogIn }: Pick<TestApp, 'tryLogIn'>, email: string, password: string, ip = here) {
  return tryLogIn(email, password, { ip })
}

describe('failed log-ins', () => {
  test('do not lock out other networks or other accounts', async () => {
    const { app, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    for (let i = 0; i < 11; i += 1) await attempt(app, ada.email, 'wrong')
    expect((await attempt(app, ada.email, ada.password, '192.0.2.2')).statusCode).toBe(200)
    expect((await attempt(app, ben.email, ben.password)).statusCode).toBe(200)
  })

  test('exclude successful ones', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    for (let i = 0; i < 9; i += 1) await attempt(app, ada.email, 'wrong')
    for (let i = 0; i < 20; i += 1) expect((await attempt(app, ada.email, ada.password)).statusCode).toBe(200)
    expect((await attempt(app, ada.email, 'wrong')).statusCode).toBe(400)
    expect((await attempt(app, ada.email, ada.password)).statusCode).toBe(429)
  })

  test('exclude inactive accounts with the right password', async () => {
    const { app, ada } = await buildTestAppWith({ ada: { is_active: false } })
    for (let i = 0; i < 12; i += 1)
      expect(statusAndBody(await attempt(app, ada.email, ada.password))).toEqual([400, { detail: 'Inactive user' }])
  })

  test('do not include right passwords in parallel: ten at a time succeed, and none counts', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const responses = await Promise.all(Array.from({ length: 40 }, () => attempt(app, ada.email, ada.password)))
    const succeeded = responses.filter(({ statusCode }) => statusCode === 200).length
    expect(succeeded).toBeGreaterThanOrEqual(10)
    expect(responses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(40 - succeeded)
    for (let i = 0; i < 10; i += 1) expect((await attempt(app, ada.email, 'wrong')).statusCode).toBe(400)
  })

  test('are counted across servers and restarts', async () => {
    const database = await createTestDatabase({ shared: true })
    const clock = createClock()
    const one = await buildTestApp({}, { database, clock })
    const two = await buildTestApp({}, { database, clock })
    const { email, password } = await one.newUser()
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, i) => attempt(i % 2 === 0 ? one : two, email, 'wrong')),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 400)).toHaveLength(10)
    const restarted = await buildTestApp({}, { database, clock })
    expect((await attempt(restarted, email, password)).statusCode).toBe(429)
  })

  test('are forgiven when an operator sets the password, on all networks and again', async () => {
    const { app, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    const useUp = async ({ email }: { email: string }) => {
      for (let i = 0; i < 10; i += 1)
        for (const n of [1, 2, 3, 4, 5]) await attempt(app, email, 'wrong', `192.0.2.${n}`)
    }
    await useUp(ada)
    await useUp(ben)
    expect((await attempt(app, ada.email, ada.password, '198.51.100.1')).statusCode).toBe(429)
    for (const password of [newPassword, 'and one more password']) {
      expect((await attempt(app, ada.email, ada.password, '192.0.2.2')).statusCode).toBe(429)
      await setPassword(app.context, ada.email, password)
      app.clock.advance(minute)
      expect((await attempt(app, ada.email, password, '192.0.2.1')).statusCode).toBe(200)
      expect((await attempt(app, ada.email, password, '192.0.2.2')).statusCode).toBe(200)
      expect((await attempt(app, ada.email, password, '198.51.100.1')).statusCode).toBe(200)
      expect((await attempt(app, ben.email, ben.password, '192.0.2.1')).statusCode).toBe(429)
      await useUp(ada)
    }
  })

  test('do not store the typed address', async () => {
    const app = await buildTestApp()
    await attempt(app, 'my secret password, in the wrong field', 'x')
    for (const table of ['limits', 'audit', 'outbox'] as const)
      expect(JSON.stringify(await app.store.db.selectFrom(table).selectAll().execute())).not.toContain('secret')
    expect(app.log.text()).not.toContain('secret')
  })
})

test('sign-ups that are malformed do not count', async () => {
  const { anonymous } = await buildTestApp({ SIGNUP_LIMIT_PER_HOUR: '1' })
  const signUp = async (email: string) => anonymous.post('/users/signup', { email, password: 'long enough' })
  for (let i = 0; i < 3; i += 1) expect((await signUp('malformed')).statusCode).toBe(422)
  expect((await signUp('a@example.com')).statusCode).toBe(200)
})

describe('the address of a request', () => {
  const chain = '1.2.3.4, 198.51.100.7, 10.0.0.8'

  test.each([
    ['10.0.0.9', '', '198.51.100.7', '10.0.0.9'],
    ['10.0.0.9', '10.0.0.0/8', '198.51.100.7', '198.51.100.7'],
    ['11.0.0.9', '10.0.0.0/8', '198.51.100.7', '11.0.0.9'],
    ['::1', '10.0.0.0/8, ::1', chain, '198.51.100.7'],
  ])('from %s, trusting "%s", with %s, is %s', async (ip, trusted, header, origin) => {
    const { tryLogIn, store } = await buildTestApp({ TRUSTED_PROXIES: trusted })
    await tryLogIn('a@b.cd', 'x', { ip, headers: { 'x-forwarded-for': header } })
    expect(await store.db.selectFrom('audit').select('origin').execute()).toEqual([{ origin }])
  })

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1:abcd::1', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['::c000:201', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['192.0.2.1:54321', '192.0.2.1'],
    ['[2001:db8:1:2::9]:54321', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (ip, block) => {
    expect(subnet(ip)).toBe(block)
  })
})
