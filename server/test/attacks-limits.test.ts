import { describe, expect, test } from 'vitest'
import { mails as mailTypes } from '../mails.ts'
import { limitKey } from '../limits/table.ts'
import { createFairQueue } from '../platform/lib/fair-queue.ts'
import { claimMail } from '../platform/mail/outbox.ts'
import { statusAndBody, buildTestApp, newPassword, type TestApp, tokenIn } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { auditOf } from './audit-entries.ts'
import { setUpApp } from './second-factors.ts'

const minute = 60_000
const hour = 60 * minute
const home = '192.0.2.1'
const stranger = '203.0.113.9'

interface Answer {
  statusCode: number
}

async function logIn({ tryLogIn }: TestApp, username: string, password: string, ip: string): Promise<number> {
  return (await tryLogIn(username, password, { ip })).statusCode
}

/** Sends wrong guesses. @returns how many were checked */
async function looked(app: TestApp, email: string, times: number, ipOf: (i: number) => string): Promise<number> {
  let count = 0
  for (let i = 0; i < times; i += 1) if ((await logIn(app, email, 'wrong', ipOf(i))) === 400) count += 1
  return count
}

describe('guesses at one account from many networks', () => {
  test('do not lock out the owner in a network of an earlier log-in', async () => {
    const app = await buildTestApp()
    const { email, password } = await app.newUser()
    expect(await logIn(app, email, password, home)).toBe(200)
    await looked(app, email, 60, (i) => `198.51.${i}.7`)
    expect(await logIn(app, email, password, stranger)).toBe(429)
    expect(await logIn(app, email, 'wrong', home)).toBe(400)
    expect(await logIn(app, email, password, home)).toBe(200)
    app.clock.advance(hour)
    expect(await logIn(app, email, password, stranger)).toBe(200)
  })

  test('do not lock out the owner after a reset by mail', async () => {
    const app = await buildTestApp()
    const { email } = await app.newUser()
    await looked(app, email, 60, (i) => `198.51.${i}.7`)
    await app.anonymous.post(`/password-recovery/${email}`, undefined, { ip: home })
    const json = { token: tokenIn((await app.deliverMails())[0]), new_password: newPassword }
    expect((await app.anonymous.post('/reset-password/', json, { ip: home })).statusCode).toBe(200)
    expect(await logIn(app, email, newPassword, home)).toBe(200)
  })
})

describe('successful log-ins', () => {
  test('alternate between networks', async () => {
    const queue = createFairQueue({ parallel: 1, maxWaiting: 8 })
    const order: string[] = []
    const run = (group: string) =>
      queue.run(group, async () => {
        order.push(group)
        await Promise.resolve()
      })
    const flood = Array.from({ length: 12 }, () => run('flood'))
    const others = ['a', 'b', 'c'].map((group) => run(group))
    await expect(Promise.all(others)).resolves.toHaveLength(3)
    const results = await Promise.allSettled(flood)
    // One ran and eight waited, of which three were rejected for the others.
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    expect(order.slice(0, 5)).toEqual(['flood', 'flood', 'a', 'b', 'c'])
    await expect(run('later')).resolves.toBeUndefined()
  })
})

describe('a site with many IPv6 networks', () => {
  /** Sends from 20 networks, each more often than a network may. @returns how many requests were accepted */
  async function accepted(ipOf: (i: number) => string, send: (ip: string, number: number) => Promise<Answer>) {
    let count = 0
    for (let i = 0; i < 20; i += 1)
      for (let j = 0; j < 7; j += 1) if ((await send(ipOf(i), 7 * i + j)).statusCode === 200) count += 1
    return count
  }

  const sites: [string, number, (i: number) => string][] = [
    ['a /64', 1, (i) => `2001:db8::${i}`],
    ['a /56', 2, (i) => `2001:db8:0:${i.toString(16)}::1`],
    ['a /48', 4, (i) => `2001:db8:0:${i.toString(16)}00::1`],
  ]

  test.each(sites)('signs up no more often than %s may', async (_what, width, ipOf) => {
    const { anonymous } = await buildTestApp({ SIGNUP_LIMIT_PER_HOUR: '5' })
    const signUp = (ip: string, number: number) =>
      anonymous.post('/users/signup', { email: `${number}@example.com`, password: newPassword }, { ip })
    const count = await accepted(ipOf, signUp)
    expect(count).toBe(5 * width)
  })

  test.each(sites)('asks for no more recovery mails than %s may', async (_what, width, ipOf) => {
    const { anonymous } = await buildTestApp()
    const recover = (ip: string, number: number) =>
      anonymous.post(`/password-recovery/${number}@example.com`, undefined, { ip })
    const count = await accepted(ipOf, recover)
    expect(count).toBe(Math.min(30 * width, 20 * 7))
  })

  test.each(sites)('fills the audit log with invalid tokens no more than %s may', async (_what, width, ipOf) => {
    const { anonymous, store } = await buildTestApp()
    const json = { token: 'made up', new_password: newPassword }
    await accepted(ipOf, (ip) => anonymous.post('/reset-password/', json, { ip }))
    const entries = await store.db.selectFrom('audit').select('id').where('result', '=', 'invalid-token').execute()
    expect(entries).toHaveLength(Math.min(30 * width, 20 * 7))
  })
})

describe('mails that an attacker can cause', () => {
  test('changes of the own address are limited to five an hour, including rejected ones', async () => {
    const { app, ada, eve } = await buildPeopledApp()
    const change = async (email: string) => statusAndBody(await ada.patch('/users/me', { email, full_name: 'Ada' }))
    for (let i = 0; i < 3; i += 1) expect((await change(`a${i}@example.com`))[0]).toBe(200)
    for (let i = 0; i < 2; i += 1) expect((await change(eve.email))[0]).toBe(409)
    const refused = [429, { detail: 'Too many changes of the email address, please try again later' }]
    expect(await change(eve.email)).toEqual(refused)
    expect(await change('free@example.com')).toEqual(refused)
    // Another spelling of the same address causes no mail.
    expect((await change('A2@example.com'))[0]).toBe(200)
    app.clock.advance(hour)
    await ada.post('/users/me/confirm', { password: ada.password })
    expect((await change('free@example.com'))[0]).toBe(200)
  })

  test('notices to an address are limited to one in five minutes', async () => {
    const { app, root, ada } = await buildPeopledApp()
    const sent: number[] = []
    for (let i = 0; i < 7; i += 1) {
      for (const password of ['long enough 1', 'long enough 2']) await root.patch(`/users/${ada.id}`, { password })
      sent.push((await app.deliverMails()).filter(({ to }) => to === ada.email).length)
      app.clock.advance(minute)
    }
    expect(sent).toEqual([1, 0, 0, 0, 0, 1, 0])
  })

  test('notices of all kinds to an address are limited to ten an hour', async () => {
    const app = await buildTestApp()
    // Anybody may sign up with the address of a stranger.
    const ada = await app.newUser()
    const sent: number[] = []
    for (let i = 0; i < 19; i += 1) {
      await setUpApp(app, ada)
      await ada.delete('/users/me/totp')
      sent.push((await app.deliverMails()).length)
      app.clock.advance(5 * minute)
      await ada.post('/users/me/confirm', { password: ada.password })
    }
    expect(sent).toEqual([2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 0, 0])
    await ada.patch('/users/me', { email: 'new@example.com' })
    expect((await app.deliverMails()).map(({ kind, to }) => [kind, to])).toEqual([['address-changed', ada.email]])
  })

  test('mails of new accounts to an address are limited to ten an hour, with invitations', async () => {
    const { app, root } = await buildPeopledApp()
    const email = 'stranger@example.com'
    const statuses: number[] = []
    let mails = 0
    for (let i = 0; i < 12; i += 1) {
      const [url, json] = i % 2 ? ['/users/invite', { email }] : ['/users/', { email, password: newPassword }]
      const made = await root.post(url, json)
      statuses.push(made.statusCode)
      mails += (await app.deliverMails()).length
      const { id, user } = made.json<{ id?: string; user?: { id: string } }>()
      await root.delete(`/users/${id ?? user?.id}`)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    expect(mails).toBe(10)
  })

  test('mails to a mailbox are limited whatever tag stands in its address', async () => {
    const { app, root } = await buildPeopledApp({ CONFIRM_EMAIL: 'on' })
    const spelling = (index: number) => `victim+${index}+x@example.com`
    const count = async (ask: (index: number) => Promise<Answer>, statuses: number[]) => {
      let sent = 0
      for (let index = 0; index < 40; index += 1) {
        expect(statuses).toContain((await ask(index)).statusCode)
        sent += (await app.deliverMails()).filter(({ to }) => to.startsWith('victim')).length
        await app.store.db.deleteFrom('users').where('email_key', 'like', 'victim%').execute()
      }
      return sent
    }
    const signUp = (index: number) =>
      app.anonymous.post('/users/signup', { email: spelling(index), password: newPassword })
    expect(await count(signUp, [200])).toBe(5)
    const invite = (index: number) => root.post('/users/invite', { email: spelling(index) })
    expect(await count(invite, [200, 429])).toBe(10)
    const recover = async (index: number) => {
      await app.newUser({ email: spelling(index) })
      return app.anonymous.post(`/password-recovery/${spelling(index)}`)
    }
    expect(await count(recover, [200, 429])).toBe(1)
    app.clock.advance(hour)
    // What begins with the sign has no tag.
    for (const email of ['+a@example.com', '+b@example.com', 'victim@else.example', 'victim@example.com'])
      expect((await root.post('/users/invite', { email })).statusCode).toBe(200)
    expect(await app.deliverMails()).toHaveLength(4)
  })

  test('a recovery mail is sent before queued invitations and notices', async () => {
    const { app, ada, root } = await buildPeopledApp()
    for (let i = 0; i < 20; i += 1) {
      await root.post('/users/invite', { email: `${i}@example.com` })
      const person = await app.newUser()
      await person.patch('/users/me/password', { current_password: person.password, new_password: newPassword })
    }
    app.clock.advance(1000)
    await app.anonymous.post(`/password-recovery/${ada.email}`)
    const kinds: unknown[] = []
    const later = app.clock.now() + minute
    for (let mail; (mail = await claimMail(app.store.db, mailTypes, later, later + minute));) kinds.push(mail.kind)
    const expected = ['recovery', ...Array(20).fill('invitation'), ...Array(20).fill('password-changed')]
    expect(kinds).toEqual(expected)
  })

  test('recovery requests by strangers do not block those by the owner', async () => {
    const app = await buildTestApp()
    const { email, password } = await app.newUser()
    const ask = async (ip: string) => app.anonymous.post(`/password-recovery/${email}`, undefined, { ip })
    await ask(stranger)
    await ask(home)
    expect(await app.deliverMails()).toHaveLength(2)
    await logIn(app, email, password, home)
    for (let i = 0; i < 30; i += 1) await ask(`198.51.${i}.7`)
    expect(await app.deliverMails()).toHaveLength(8)
    app.clock.advance(minute)
    await ask(home)
    expect(await app.deliverMails()).toHaveLength(1)
  })
})

describe('a request from another web site', () => {
  const refused = (what: string) => [400, { detail: `${what} from another site is refused` }]

  test.each([
    ['cross-site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['cross-site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['of a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['of an old browser', { origin: 'https://evil.example' }],
    ['of an old browser’s sandboxed frame', { origin: 'null' }],
    ['of a sibling', { 'sec-fetch-site': 'same-site', origin: 'https://evil.app.example' }],
  ] as [string, Record<string, string>][])('%s is rejected and not counted', async (_what, headers) => {
    const app = await buildTestApp({ PUBLIC_URL: 'https://app.example', CORS_ORIGINS: 'https://spa.example' })
    const { email, password } = await app.newUser()
    for (let i = 0; i < 15; i += 1) {
      expect(statusAndBody(await app.tryLogIn(email, 'wrong', { headers }))).toEqual(refused('Log-in'))
      const recovery = await app.anonymous.post(`/password-recovery/${email}`, undefined, { headers })
      expect(statusAndBody(recovery)).toEqual(refused('Password recovery'))
    }
    expect(await app.deliverMails()).toEqual([])
    expect((await app.tryLogIn(email, password)).statusCode).toBe(200)
  })

  test.each([
    ['of a program other than a browser', {}],
    ['of the public URL', { origin: 'https://app.example', 'sec-fetch-site': 'same-origin' }],
    ['of the requested host', { origin: 'http://localhost:80', host: 'localhost' }],
    ['of a form before the application runs', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['of an allowed origin', { origin: 'https://spa.example', 'sec-fetch-site': 'cross-site' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
  ] as [string, Record<string, string>][])('%s is accepted', async (_what, headers) => {
    const app = await buildTestApp({ PUBLIC_URL: 'https://app.example', CORS_ORIGINS: 'https://spa.example' })
    const { email, password } = await app.newUser()
    expect((await app.tryLogIn(email, password, { headers })).statusCode).toBe(200)
  })
})

test('an account cannot fill the audit log by changes of its own account', async () => {
  const { app, ada } = await buildPeopledApp()
  await setUpApp(app, ada)
  for (let i = 0; i < 1_100; i += 1) await ada.post('/users/me/recovery-codes')
  const count = async (action: string) => (await auditOf(app, action)).length
  expect(await count('recovery-codes')).toBe(1_000)
  const unrecorded = await auditOf(app, 'unrecorded')
  expect(unrecorded.map(({ subject_id, details }) => [subject_id, details])).toEqual([
    [ada.id, { action: 'recovery-codes', number: 100 }],
  ])
  // Another action of the same account is still recorded.
  await ada.delete('/users/me/totp')
  expect(await count('totp-delete')).toBe(1)
})

test('two entries of one change count as two', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser({ email: 'ada@example.com' })
  await ada.patch('/users/me', { full_name: 'Ada' })
  const key = limitKey('audit', ada.id, 'account-change')
  await app.store.db.updateTable('limits').set({ used: 999 }).where('key', '=', key).execute()
  await ada.patch('/users/me', { full_name: 'Ada L.', email: 'Ada@Example.com' })
  const counted = (await auditOf(app)).map(({ action, details }) => [action, details?.['number']].join(' '))
  // Entries of the same millisecond have no order.
  expect(counted.toSorted((a, b) => a.localeCompare(b))).toEqual(['account-change ', 'account-change ', 'unrecorded 1'])
})
