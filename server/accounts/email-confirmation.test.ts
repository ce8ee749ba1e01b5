import { describe, expect, test } from 'vitest'
import { type Act, change as inChange } from '../sessions/change.ts'
import { buildTestApp, type Client, newPassword, type Person, statusAndBody, tokenIn } from '../test/build-test-app.ts'
import { resetByMail } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import type { UserPublic } from '../contract/types.gen.ts'
import { CONFIRMATION_PURPOSES } from '../sign-in/challenges.ts'
import { beginSession } from '../sessions/rules.ts'
import { startMailServer } from '../test/mail-server.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const confirmed = [200, { message: 'Address confirmed' }]
const invalid = [400, { detail: 'Invalid token' }]
const taken = [409, { detail: 'A user with this email already exists' }]

async function setUp(settings: Record<string, string> = {}) {
  const app = await buildTestApp({ CONFIRM_EMAIL: 'on', ...settings })
  const root = await app.newUser({ email: 'root@example.com', is_superuser: true })
  const ada = await app.newUser({ email: 'ada@example.com' })
  const me = async (person: Client = ada) => (await person.get('/users/me')).json<UserPublic>()
  const change = (email: string, person: Client = ada) => person.patch('/users/me', { email })
  const send = (person: Client = ada) => person.post('/users/me/email-confirmation')
  const forget = (person: Client = ada) => person.delete('/users/me/email-confirmation')
  const confirm = async (token: string, person: Client = ada) =>
    statusAndBody(await person.post('/email-confirmation', { token }))
  const newSession = async ({ id }: Pick<Person, 'id'> = ada) => {
    const device = { ip: '127.0.0.1', userAgent: undefined }
    const begin = (act: Act) => beginSession(act, { userId: id, method: 'password' }, device)
    return app.as(await inChange(app.context, device, {}, begin))
  }
  /** Delivers mails. @returns the token in the only link, of which there must be one */
  const mailedToken = async () => {
    const links = (await app.deliverMails()).filter(({ kind }) => kind === 'email-confirmation')
    expect(links).toHaveLength(1)
    return tokenIn(links[0])
  }
  const administer = (json: object, id = ada.id) => root.patch(`/users/${id}`, json)
  return { ...app, root, ada, me, change, send, forget, confirm, newSession, mailedToken, administer }
}

describe('a change of the own address', () => {
  test('waits for the link that is mailed to the new one, and the old one is told', async () => {
    const { change, me, deliverMails, confirm, anonymous, ada, store, logIn, clock } = await setUp()
    const before = await me()
    const changed = await change(' New@Example.com')
    expect(statusAndBody(changed)).toEqual([200, { ...before, pending_email: 'New@Example.com' }])
    const mails = await deliverMails()
    const both = ['address-requested ada@example.com', 'email-confirmation New@Example.com']
    expect(mails.map(({ to, kind }) => `${kind} ${to}`).toSorted()).toEqual(both)
    expect(mails.find(({ kind }) => kind === 'address-requested')?.text).not.toMatch(/new@example\.com|token/i)
    const link = mails.find(({ kind }) => kind === 'email-confirmation')
    expect(link?.text).toContain('only while you are logged in to this account.')
    expect(link?.text).toContain('If you did not ask for this, ignore this mail. Nothing will change.')
    expect(link?.text).not.toContain('ada@example.com')
    await anonymous.post('/password-recovery/ada@example.com')
    const resetToken = tokenIn((await deliverMails())[0])

    clock.advance(minute)
    expect(await confirm(tokenIn(link))).toEqual(confirmed)
    const confirmedAt = new Date(clock.now()).toISOString()
    expect(await me()).toMatchObject({ email: 'New@Example.com', pending_email: null, email_confirmed_at: confirmedAt })
    expect((await ada.get('/users/me')).statusCode).toBe(200)
    const reset = await anonymous.post('/reset-password/', { token: resetToken, new_password: newPassword })
    expect(statusAndBody(reset)).toEqual(invalid)
    expect(await logIn('ada@example.com', ada.password)).toBeUndefined()
    expect(await logIn('new@example.com', ada.password)).toBeTypeOf('string')
    expect((await deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([['ada@example.com', 'address-changed']])
    expect(await confirm(tokenIn(link))).toEqual(invalid)
    const actions = (await auditOf({ store }))
      .map(({ action }) => action)
      .filter((action) => action.startsWith('address-'))
    expect(actions.toSorted()).toEqual(['address-change', 'address-confirm', 'address-request'])
  })

  test('does not change the entity tag, until it is confirmed', async () => {
    const { change, ada, confirm, mailedToken } = await setUp()
    const tag = async () => (await ada.get('/users/me')).headers['etag']
    const before = await tag()
    expect((await change('new@example.com')).headers['etag']).toBe(before)
    await confirm(await mailedToken())
    expect(await tag()).not.toBe(before)
  })

  test('to one that is taken is 409, now and when the link is used', async () => {
    const { change, newUser, confirm, mailedToken, me, root } = await setUp()
    const ben = await newUser({ email: 'ben@example.com' })
    expect(statusAndBody(await change('BEN@example.com'))).toEqual(taken)
    await change('new@example.com')
    const token = await mailedToken()
    await root.patch(`/users/${ben.id}`, { email: 'new@example.com' })
    expect(await confirm(token)).toEqual(taken)
    expect(await me()).toMatchObject({ email: 'ada@example.com', pending_email: 'new@example.com' })
    await root.delete(`/users/${ben.id}`)
    expect(await confirm(token)).toEqual(confirmed)
  })

  test('of spelling alone happens at once', async () => {
    const { change, me, deliverMails } = await setUp()
    const { email_confirmed_at } = await me()
    await change('ADA@example.com')
    expect(await me()).toMatchObject({ email: 'ADA@example.com', pending_email: null, email_confirmed_at })
    expect(await deliverMails()).toEqual([])
  })

  test('a newer one ends the link of the one before', async () => {
    const { change, confirm, mailedToken, me } = await setUp()
    await change('first@example.com')
    const first = await mailedToken()
    await change('second@example.com')
    expect(await confirm(first)).toEqual(invalid)
    expect(await confirm(await mailedToken())).toEqual(confirmed)
    expect(await me()).toMatchObject({ email: 'second@example.com' })
  })

  test('a link that was not sent before it was superseded is never sent', async () => {
    const { change, deliverMails } = await setUp()
    await change('first@example.com')
    await change('second@example.com')
    const links = (await deliverMails()).filter(({ kind }) => kind === 'email-confirmation')
    expect(links.map(({ to }) => to)).toEqual(['second@example.com'])
  })

  test('an expired one stays, and can be sent again', async () => {
    const { change, confirm, newSession, mailedToken, me, send, clock } = await setUp()
    await change('new@example.com')
    const token = await mailedToken()
    clock.advance(day)
    const again = await newSession()
    expect(await confirm(token, again)).toEqual(invalid)
    expect(await me(again)).toMatchObject({ pending_email: 'new@example.com' })
    expect((await send(again)).statusCode).toBe(200)
    expect(await confirm(await mailedToken(), again)).toEqual(confirmed)
  })

  const endings: Record<string, (app: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>> = {
    'the person forgets it': ({ forget }) => forget(),
    'the own password is changed': ({ ada }) =>
      ada.patch('/users/me/password', { current_password: ada.password, new_password: newPassword }),
    'an administrator sets a password': ({ administer }) => administer({ password: newPassword }),
    'an administrator changes the address': ({ administer }) => administer({ email: 'other@example.com' }),
    'the account is deactivated and activated': async ({ administer }) => {
      await administer({ is_active: false })
      await administer({ is_active: true })
    },
    'it is deactivated with others': async ({ root, ada, administer }) => {
      const json = { action: 'deactivate', ids: [ada.id] }
      expect((await root.post('/users/bulk', json)).json()).toMatchObject({ changed: 1 })
      await administer({ is_active: true })
    },
    'the password is reset': async (app) => expect((await resetByMail(app, app.ada.email)).statusCode).toBe(200),
  }
  test.each(Object.entries(endings))('is forgotten, with its link, when %s', async (_when, work) => {
    const app = await setUp()
    const { change, confirm, newSession, mailedToken, root, ada, store } = app
    await change('new@example.com')
    const token = await mailedToken()
    await work(app)
    expect(await confirm(token, await newSession())).toEqual(invalid)
    const { json } = await root.get(`/users/${ada.id}`)
    expect(json()).toMatchObject({ pending_email: null })
    const left = store.db.selectFrom('challenges').select('purpose').where('purpose', 'in', CONFIRMATION_PURPOSES)
    expect(await left.execute()).toEqual([])
  })

  test('nobody else sees the pending address', async () => {
    const { change, ada, newUser } = await setUp()
    await change('new@example.com')
    const ben = await newUser()
    expect((await ben.get(`/users/${ada.id}`)).statusCode).toBe(403)
  })
})

describe('with confirmation off', () => {
  test('addresses change at once, and are not confirmed then', async () => {
    const { change, me, send, forget } = await setUp({ CONFIRM_EMAIL: 'off' })
    expect(statusAndBody(await change('new@example.com'))).toMatchObject([200, { email: 'new@example.com' }])
    expect(await me()).toMatchObject({ pending_email: null, email_confirmed_at: null })
    expect(statusAndBody(await send())).toEqual([409, { detail: 'Addresses are not confirmed here' }])
    expect(statusAndBody(await forget())).toEqual([200, { message: 'No address is pending' }])
  })

  test('is the default only without a mail server', async () => {
    const without = await buildTestApp()
    expect((await without.anonymous.get('/instance')).json()).toMatchObject({ confirm_email: false })
    const withMail = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
    expect((await withMail.anonymous.get('/instance')).json()).toMatchObject({ confirm_email: true })
  })
})

describe('the address of a new account', () => {
  test('is confirmed by the link that a sign-up mails', async () => {
    const { anonymous, as, mailedToken, confirm, logIn, me, send } = await setUp()
    const json = { email: 'new@example.com', password: newPassword }
    const unconfirmed = [200, { email: 'new@example.com', email_confirmed_at: null, pending_email: null }]
    expect(statusAndBody(await anonymous.post('/users/signup', json))).toMatchObject(unconfirmed)
    const token = await mailedToken()
    const person = as(await logIn(json.email, newPassword))
    expect((await person.patch('/users/me', { full_name: 'Works' })).statusCode).toBe(200)
    expect(await confirm(token, person)).toEqual(confirmed)
    expect(await me(person)).toMatchObject({ email_confirmed_at: expect.any(String) })
    expect(statusAndBody(await send(person))).toEqual([409, { detail: 'Your address is confirmed' }])
  })

  test('a link works once, also for those who press at the same time', async () => {
    const { anonymous, mailedToken, confirm, newSession } = await setUp()
    const json = { email: 'new@example.com', password: newPassword }
    const person = await newSession((await anonymous.post('/users/signup', json)).json<Person>())
    const token = await mailedToken()
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token, person)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([status]) => status === 400)).toHaveLength(4)
  })

  test.each([
    ['inactive', { is_active: false }],
    ['at another address', { email: 'other@example.com' }],
  ])('a link of an account that is %s by now is refused', async (_state, json) => {
    const { anonymous, mailedToken, confirm, newSession, administer, store } = await setUp()
    const person = { email: 'new@example.com', password: newPassword }
    const { id } = (await anonymous.post('/users/signup', person)).json<Person>()
    const token = await mailedToken()
    const session = await newSession({ id })
    await administer(json, id)
    const ended = [401, { detail: 'Could not validate credentials' }]
    expect(await confirm(token, session)).toEqual('is_active' in json ? ended : invalid)
    await administer({ is_active: true }, id)
    expect(await confirm(token, await newSession({ id }))).toEqual(invalid)
    const user = store.db.selectFrom('users').select('email_confirmed_at').where('id', '=', id)
    expect(await user.executeTakeFirst()).toEqual({ email_confirmed_at: null })
  })

  test('a link of a deleted account is refused', async () => {
    const { anonymous, root, mailedToken, confirm } = await setUp()
    const person = { email: 'new@example.com', password: newPassword }
    const { id } = (await anonymous.post('/users/signup', person)).json<Person>()
    const token = await mailedToken()
    await root.delete(`/users/${id}`)
    expect(await confirm(token)).toEqual(invalid)
  })
})

describe('links', () => {
  test('confirm only in a session of the account that asked, and stay for it', async () => {
    const { anonymous, mailedToken, confirm, newSession, root, me } = await setUp()
    const json = { email: 'new@example.com', password: newPassword }
    const person = await newSession((await anonymous.post('/users/signup', json)).json<Person>())
    const token = await mailedToken()
    const signedOut = await anonymous.post('/email-confirmation', { token })
    expect(statusAndBody(signedOut)).toEqual([401, { detail: 'Not authenticated' }])
    expect(await confirm(token, root)).toEqual([400, { detail: 'Invalid token', other_account: true }])
    expect(await me(person)).toMatchObject({ email_confirmed_at: null })
    expect(await confirm(token, person)).toEqual(confirmed)
    expect(await confirm(token, root)).toEqual(invalid)
  })

  test('are sent again once a minute and five times an hour', async () => {
    const { change, send, clock, deliverMails } = await setUp()
    await change('new@example.com')
    const statuses: number[] = []
    for (let index = 0; index < 6; index += 1) {
      statuses.push((await send()).statusCode, (await send()).statusCode)
      clock.advance(minute)
    }
    // The change of the address has sent the first of the five mails.
    expect(statuses).toEqual([200, 429, 200, 429, 200, 429, 200, 429, 429, 429, 429, 429])
    expect((await send()).headers['retry-after']).toMatch(/^\d+$/)
    expect((await deliverMails()).filter(({ kind }) => kind === 'email-confirmation')).toHaveLength(1)
  })

  test('to an address are at most five an hour, whoever asks', async () => {
    const { change, newUser, deliverMails, clock } = await setUp()
    let sent = 0
    for (let index = 0; index < 7; index += 1) {
      const person = await newUser()
      expect((await change('victim@example.com', person)).json()).toMatchObject({ pending_email: 'victim@example.com' })
      sent += (await deliverMails()).filter(({ to }) => to === 'victim@example.com').length
    }
    expect(sent).toBe(5)
    clock.advance(hour)
    await change('victim@example.com', await newUser())
    expect((await deliverMails()).map(({ to }) => to)).toContain('victim@example.com')
  })

  test('are no tokens of other operations, and the other way round', async () => {
    const { change, mailedToken, anonymous, confirm, deliverMails, ada } = await setUp()
    await change('new@example.com')
    const token = await mailedToken()
    const json = { token, new_password: newPassword, password: newPassword }
    expect(statusAndBody(await anonymous.post('/reset-password/', json))).toEqual(invalid)
    expect(statusAndBody(await anonymous.post('/accept-invitation', json))).toEqual(invalid)
    await anonymous.post(`/password-recovery/${ada.email}`)
    expect(await confirm(tokenIn((await deliverMails())[0]))).toEqual(invalid)
    expect(await confirm(token)).toEqual(confirmed)
  })

  test('are neither in the log nor readable in the database', async () => {
    const { change, mailedToken, confirm, store, log } = await setUp()
    await change('new@example.com')
    const token = await mailedToken()
    const rows = await store.db.selectFrom('challenges').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${token}|new@example`))
    await confirm(token)
    expect(log.text()).not.toMatch(new RegExp(`${token}|new@example`))
  })
})

test('a mail that the server refuses for good is remembered at the account, for superusers, until a later one is taken', async () => {
  let isRefusing = true
  const { url } = await startMailServer({
    onRcptTo: (_address, _session, done) =>
      done(isRefusing ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
  })
  const app = await buildTestApp({ SMTP_URL: url, CONFIRM_EMAIL: 'off' }, { realMail: true })
  app.log.expectErrors()
  const { anonymous, newUser, mailer } = app
  const root = await newUser({ email: 'root@example.com', is_superuser: true })
  const ada = await newUser({ email: 'ada@example.com' })
  const read = async (person: Person) => (await person.get(`/users/${ada.id}`)).json<object>()
  const tag = async () => (await root.get(`/users/${ada.id}`)).headers['etag']
  const before = await tag()
  const recover = async () => {
    app.clock.advance(minute)
    const response = await anonymous.post('/password-recovery/ADA@example.com')
    await mailer.deliverDue()
    return response.json<object>()
  }
  const answer = await recover()
  expect(await read(root)).toMatchObject({ mail_refused_at: new Date(app.clock.now()).toISOString() })
  expect(await read(ada)).not.toHaveProperty('mail_refused_at')
  expect((await ada.get('/users/me')).json()).not.toHaveProperty('mail_refused_at')
  expect(await tag()).toBe(before)
  expect(await recover()).toEqual(answer)
  isRefusing = false
  await recover()
  expect(await read(root)).toMatchObject({ mail_refused_at: null })
  isRefusing = true
  await recover()
  await root.patch(`/users/${ada.id}`, { email: 'new@example.com' })
  expect(await read(root)).toMatchObject({ mail_refused_at: null })
})
