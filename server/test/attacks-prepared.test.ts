import { describe, expect, test } from 'vitest'
import { STEP_MS, totpCode } from '../../tests/support/totp.ts'
import { readKnownNetworks } from '../limits/known-networks.ts'
import { issueLogInLink } from '../sign-in/log-in-link.ts'
import { OPERATOR } from '../users/access.ts'
import { newPassword, type Person, statusAndBody, type TestApp, tokenIn } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { auditOf } from './audit-entries.ts'
import { begin, logInWith, register } from './ceremonies.ts'
import { askForSecondStep, finish, setUpApp } from './second-factors.ts'

const MINUTE = 60_000
const victim = 'victim@example.com'
const removedWords = 'that were set up before this address was confirmed'

/** An account that a stranger signed up with the address of another person, with a passkey and an app. */
async function stage(settings: Record<string, string> = {}) {
  const { app, root } = await buildPeopledApp(settings)
  const json = { email: victim, password: 'the password of a stranger' }
  const { id } = (await app.anonymous.post('/users/signup', json)).json<{ id: string }>()
  const token = await app.logIn(json.email, json.password)
  const stranger: Person = { id, ...json, token, ...app.as(token) }
  const { key } = await register(stranger)
  const { secret } = await setUpApp(app, stranger)
  await app.deliverMails()
  app.clock.advance(10 * MINUTE)
  await root.post('/users/me/confirm', { password: root.password })
  return { app, root, stranger, key, secret }
}

/** The token of the newest mail with a link. */
async function mailedToken(app: TestApp): Promise<string> {
  await app.anonymous.post(`/password-recovery/${victim}`)
  return tokenIn((await app.deliverMails()).find(({ kind }) => kind === 'recovery'))
}

/** Resets the password with a newly mailed link. @returns the message of the answer */
async function reset(app: TestApp, new_password = newPassword, ip = '127.0.0.1'): Promise<string> {
  const answer = await resetWith(app, await mailedToken(app), new_password, ip)
  expect(statusAndBody(answer)).toEqual([200, { message: expect.any(String) }])
  return answer.json<{ message: string }>().message
}

const resetWith = (app: TestApp, token: string, new_password = newPassword, ip = '127.0.0.1') =>
  app.anonymous.post('/reset-password/', { token, new_password }, { ip })

/** Sets whether an account is active, alone or as one of many. */
const setActive = (root: Person, id: string, is_active: boolean, number: 'one' | 'many') =>
  number === 'one'
    ? patch(root, id, { is_active })
    : root.post('/users/bulk', { action: is_active ? 'activate' : 'deactivate', ids: [id] })

const patch = (root: Person, id: string, json: object) => root.patch(`/users/${id}`, json)

/** Which ways in the stranger's preparations give. */
async function waysIn(app: TestApp, stranger: Person, key: Parameters<typeof logInWith>[1], password = newPassword) {
  const logIn = await app.tryLogIn(victim, password)
  return {
    passkey: (await logInWith(app, key)).statusCode,
    session: (await stranger.get('/users/me')).statusCode,
    asksForApp: logIn.statusCode === 400,
  }
}

const none = { passkey: 404, session: 401, asksForApp: false }

const lastDetails = async (app: TestApp, action: string) => (await auditOf(app, action)).at(-1)?.details

const removedDetails = { removed_passkeys: 1, removed_apps: 1, removed_recovery_codes: 10 }

describe('an account that a stranger prepared for its owner', () => {
  test('is the owner’s alone after the first mailed reset, which says what it removed', async () => {
    const { app, stranger, key } = await stage()
    const { login } = (await askForSecondStep(app, stranger)).second_factor
    expect(await reset(app)).toBe(
      `Password updated successfully. The passkeys, the authenticator app and the recovery codes ${removedWords} were removed`,
    )
    expect(await waysIn(app, stranger, key)).toEqual(none)
    expect((await finish(app, login, '123456')).statusCode).toBe(410)
    const text = expect.stringMatching(new RegExp(`password[^]*${removedWords}`)) as string
    expect(await app.deliverMails()).toMatchObject([{ to: victim, text }])
    expect(await lastDetails(app, 'password-reset')).toEqual(removedDetails)
  })

  test('is not confirmed by a press of the owner, and theirs alone after the reset that they need', async () => {
    const { app, stranger, key } = await stage({ CONFIRM_EMAIL: 'on' })
    const own = await app.newUser()
    expect((await stranger.post('/users/me/email-confirmation')).statusCode).toBe(200)
    const json = { token: tokenIn((await app.deliverMails())[0]) }
    expect((await app.anonymous.post('/email-confirmation', json)).statusCode).toBe(401)
    expect((await own.post('/email-confirmation', json)).statusCode).toBe(400)
    expect((await stranger.get('/users/me')).json()).toMatchObject({ email_confirmed_at: null })
    // The stranger goes on, as they could after a confirmation.
    const change = { current_password: stranger.password, new_password: 'another one of the stranger' }
    await stranger.patch('/users/me/password', change)
    expect(await reset(app)).toContain(removedWords)
    expect(await waysIn(app, stranger, key)).toEqual(none)
    expect(await app.logIn(victim, change.new_password)).toBeUndefined()
    expect((await stranger.post('/email-confirmation', json)).statusCode).toBe(401)
  })

  test('is the owner’s alone after a reset, also if its address was confirmed in a session before', async () => {
    const { app, stranger, key, secret } = await stage({ CONFIRM_EMAIL: 'on' })
    expect((await stranger.post('/users/me/email-confirmation')).statusCode).toBe(200)
    const json = { token: tokenIn((await app.deliverMails())[0]) }
    expect((await stranger.post('/email-confirmation', json)).statusCode).toBe(200)
    app.clock.advance(MINUTE)
    const { login } = (await askForSecondStep(app, stranger)).second_factor
    const logIn = await finish(app, login, totpCode(secret, app.clock.now()))
    const own = await register(app.as(logIn.json<{ access_token: string }>().access_token))
    expect(await reset(app)).toContain(removedWords)
    expect(await waysIn(app, stranger, key)).toEqual(none)
    expect(await lastDetails(app, 'password-reset')).toEqual(removedDetails)
    expect((await logInWith(app, own.key)).statusCode).toBe(200)
  })

  test('leaves neither a link of the operator nor the networks of the stranger after the reset', async () => {
    const { app, stranger } = await stage()
    const token = await issueLogInLink(app.context, OPERATOR, stranger.id)
    await reset(app, newPassword, '192.0.2.1')
    expect((await app.anonymous.post('/login/link', { token })).statusCode).toBe(400)
    const isKnown = async (ip: string) => (await readKnownNetworks(app.context, victim, ip)).isKnownNetwork
    expect([await isKnown('127.0.0.1'), await isKnown('192.0.2.1')]).toEqual([false, true])
  })

  test('keeps what its owner sets up after that', async () => {
    const { app, stranger } = await stage()
    await reset(app)
    const owner = await app.newSession({ ...stranger, password: newPassword })
    const { key } = await register(owner)
    await setUpApp(app, owner)
    app.clock.advance(10 * MINUTE)
    await app.deliverMails()
    const again = 'yet another good password'
    expect(await reset(app, again)).toBe('Password updated successfully')
    expect(await waysIn(app, owner, key, again)).toEqual({ passkey: 200, session: 401, asksForApp: true })
    expect((await app.deliverMails()).map(({ kind }) => kind)).toEqual(['password-changed'])
    expect(await lastDetails(app, 'password-reset')).toBe(null)
  })

  test('is the owner’s alone after a new password by an administrator', async () => {
    const { app, root, stranger, key } = await stage()
    expect((await patch(root, stranger.id, { password: newPassword })).statusCode).toBe(200)
    expect(await waysIn(app, stranger, key)).toEqual(none)
    expect((await app.deliverMails())[0]?.text).toContain(removedWords)
    expect(await lastDetails(app, 'password-set')).toEqual(removedDetails)
  })

  test.each(['one', 'many'] as const)('has none of it after a deactivation, of %s', async (number) => {
    const { app, root, stranger, key } = await stage()
    for (const isActive of [false, true])
      expect((await setActive(root, stranger.id, isActive, number)).statusCode).toBe(200)
    expect(await waysIn(app, stranger, key, stranger.password)).toEqual(none)
    expect((await app.deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[victim, 'second-factor-reset']])
    const [off] = await auditOf(app, 'status-change')
    expect(off?.details).toEqual({ is_active: { from: true, to: false }, ...removedDetails })
  })
})

test('a confirmed account keeps its factors through a new password by an administrator and a deactivation', async () => {
  const { app, root, stranger } = await stage()
  await reset(app)
  const owner = await app.newSession({ ...stranger, password: newPassword })
  const { key } = await register(owner)
  await patch(root, owner.id, { password: 'yet another good password' })
  await patch(root, owner.id, { is_active: false })
  await patch(root, owner.id, { is_active: true })
  expect((await logInWith(app, key)).statusCode).toBe(200)
})

test('an address that is changed has not been confirmed', async () => {
  const { app, stranger } = await stage()
  await reset(app)
  const owner = await app.newSession({ ...stranger, password: newPassword })
  const { key } = await register(owner)
  const change = async (email: string, person: Person) =>
    expect((await person.patch('/users/me', { email })).statusCode).toBe(200)
  // Another spelling of the same address.
  await change(victim.toUpperCase(), owner)
  app.clock.advance(MINUTE)
  await reset(app)
  expect((await logInWith(app, key)).statusCode).toBe(200)
  const again = await app.newSession(owner)
  await change('other@example.com', again)
  await change(victim, again)
  app.clock.advance(MINUTE)
  await reset(app)
  expect((await logInWith(app, key)).statusCode).toBe(404)
})

test('a link that was handed over instead of mailed confirms nothing', async () => {
  const { app, root } = await buildPeopledApp()
  const accept = async (token: string) =>
    expect(statusAndBody(await app.anonymous.post('/accept-invitation', { token, password: newPassword }))).toEqual([
      200,
      { message: 'Password set successfully' },
    ])
  const invite = async (email: string) => {
    const invited = await root.post('/users/invite', { email })
    const [mail] = await app.deliverMails()
    const { link, user } = invited.json<{ link: string; user: { id: string } }>()
    return { id: user.id, handedOver: tokenIn({ text: link }), mailed: tokenIn(mail) }
  }
  const confirmedAt = async (id: string) => {
    const user = app.store.db.selectFrom('users').select('email_confirmed_at').where('id', '=', id)
    return (await user.executeTakeFirstOrThrow()).email_confirmed_at
  }
  const [one, two] = [await invite(victim), await invite('two@example.com')]
  await accept(one.handedOver)
  await accept(two.mailed)
  expect([await confirmedAt(one.id), await confirmedAt(two.id)]).toEqual([null, app.clock.now()])
  const token = await app.logIn(victim, newPassword)
  const { key } = await register(app.as(token))
  await app.deliverMails()
  expect(await reset(app)).toContain(removedWords)
  expect((await logInWith(app, key)).statusCode).toBe(404)
  expect(await confirmedAt(one.id)).toBe(app.clock.now())
})

describe('a deactivation', () => {
  test.each(['one', 'many'] as const)('of %s ends links, half log-ins and ceremonies for good', async (number) => {
    const { app, root, stranger: owner, secret } = await stage()
    const { db } = app.store
    await db.updateTable('users').set({ email_confirmed_at: 1 }).where('id', '=', owner.id).execute()
    const link = await mailedToken(app)
    const { login } = (await askForSecondStep(app, owner)).second_factor
    await begin(owner, 'confirmation')
    for (const isActive of [false, true]) await setActive(root, owner.id, isActive, number)
    app.clock.advance(STEP_MS)
    expect((await finish(app, login, totpCode(secret, app.clock.now()))).statusCode).toBe(410)
    expect(statusAndBody(await resetWith(app, link))).toEqual([400, { detail: 'Invalid token' }])
    expect(await db.selectFrom('challenges').select('user_id').where('user_id', '=', owner.id).execute()).toEqual([])
  })

  test('leaves the link of the welcome mail to an account that was never active', async () => {
    const { app, root } = await buildPeopledApp()
    const json = { email: victim, password: 'some good password', is_active: false }
    const made = await root.post('/users/', json)
    const { id } = made.json<{ id: string }>()
    const [mail] = await app.deliverMails()
    await patch(root, id, { full_name: 'Vic' })
    await patch(root, id, { is_active: true })
    expect((await resetWith(app, tokenIn(mail))).statusCode).toBe(200)
  })
})
