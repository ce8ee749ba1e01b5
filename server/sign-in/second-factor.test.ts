import { expect, test } from 'vitest'
import { createAuthenticator } from '../../tests/support/authenticator.ts'
import { STEP_MS, totpCode, wrongTotpCode } from '../../tests/support/totp.ts'
import { buildTestApp, newPassword, type Person, statusAndBody } from '../test/build-test-app.ts'
import { logInWith, register } from '../test/ceremonies.ts'
import { askForSecondStep, finish, setUpApp } from '../test/second-factors.ts'

const MINUTE = 60_000
const incorrect = [400, { detail: 'Incorrect code' }]
const expired = [410, { detail: 'This log-in has expired, please start again' }]
const exists = [409, { detail: 'An authenticator app is already set up' }]

async function factorsOf(person: Person) {
  return (await person.get('/users/me/second-factor')).json<unknown>()
}

test('an app is set up, logs in once with each code, and is removed', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  expect(await factorsOf(ada)).toEqual({ totp: false, passkeys: 0, recovery_codes_left: 0, required: false })
  const { secret, uri, codes, code } = await setUpApp(app, ada)
  expect(new URL(uri).pathname).toBe(`/Steward:${encodeURIComponent(ada.email)}`)
  expect(Object.fromEntries(new URL(uri).searchParams)).toEqual({
    secret,
    issuer: 'Steward',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(codes).toHaveLength(10)
  for (const one of codes) expect(one).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
  expect(await factorsOf(ada)).toEqual({ totp: true, passkeys: 0, recovery_codes_left: 10, required: false })

  const before = (await ada.get('/users/me')).json<{ last_active_at: string }>()
  app.clock.advance(STEP_MS)
  const asked = await askForSecondStep(app, ada)
  expect(asked).toEqual({
    detail: 'Enter the code of your authenticator app',
    second_factor: { login: expect.any(String), methods: ['totp', 'recovery_code'], enrol: false },
  })
  const row = await app.store.db.selectFrom('users').select('last_active_at').where('id', '=', ada.id).execute()
  expect(row).toEqual([{ last_active_at: Date.parse(before.last_active_at) }])
  const { login } = asked.second_factor
  // The code of the confirmation is that of the step before.
  expect(statusAndBody(await finish(app, login, code))).toEqual(incorrect)
  const shown = totpCode(secret, app.clock.now())
  const entered = await finish(app, login, ` ${shown.slice(0, 3)} ${shown.slice(3)}`)
  expect(statusAndBody(entered)).toEqual([200, { access_token: expect.any(String), token_type: 'bearer' }])
  expect(statusAndBody(await finish(app, login, shown))).toEqual(expired)
  const again = await askForSecondStep(app, ada)
  expect(statusAndBody(await finish(app, again.second_factor.login, shown))).toEqual(incorrect)

  const { access_token: token } = entered.json<{ access_token: string }>()
  expect(statusAndBody(await app.as(token).post('/users/me/totp'))).toEqual(exists)
  expect((await app.as(token).delete('/users/me/totp')).statusCode).toBe(200)
  expect(statusAndBody(await app.as(token).delete('/users/me/totp'))).toEqual([
    404,
    { detail: 'No authenticator app is set up' },
  ])
  expect(statusAndBody(await finish(app, again.second_factor.login, '123456'))).toEqual(expired)
  expect(await factorsOf(ada)).toEqual({ totp: false, passkeys: 0, recovery_codes_left: 0, required: false })
  expect(await app.logIn(ada.email, ada.password)).toBeTypeOf('string')
  expect((await app.deliverMails()).map(({ kind }) => kind).toSorted()).toEqual(['app-added', 'app-removed'])
})

test('a secret is confirmed within 15 minutes, and the newest one only', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()

  const confirm = async (code: string) => statusAndBody(await ada.post('/users/me/totp/confirm', { code }))
  const begin = async () => (await ada.post('/users/me/totp')).json<{ secret: string }>().secret
  const nothing = [409, { detail: 'There is nothing to confirm' }]
  expect(await confirm('123456')).toEqual(nothing)
  const first = await begin()
  const second = await begin()
  expect(await confirm(totpCode(first, app.clock.now()))).toEqual(incorrect)
  app.clock.advance(9 * MINUTE)
  expect(await confirm(wrongTotpCode(second, app.clock.now()))).toEqual(incorrect)
  expect(await app.logIn(ada.email, ada.password)).toBeTypeOf('string')
  app.clock.advance(6 * MINUTE)
  await ada.post('/users/me/confirm', { password: ada.password })
  expect(await confirm(totpCode(second, app.clock.now()))).toEqual(nothing)
  await app.housekeeping.runAll()
  for (const table of ['authenticator_apps', 'challenges'] as const)
    expect(await app.store.db.selectFrom(table).selectAll().execute()).toEqual([])
})

test.each([-29_000, 29_000])('a clock that is %i ms off is accepted, two steps are not', async (skew) => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { secret } = await setUpApp(app, ada)
  app.clock.advance(10 * STEP_MS)
  const { login } = (await askForSecondStep(app, ada)).second_factor
  const far = totpCode(secret, app.clock.now() + 2 * Math.sign(skew) * STEP_MS)
  expect(statusAndBody(await finish(app, login, far))).toEqual(incorrect)
  expect((await finish(app, login, totpCode(secret, app.clock.now() + skew))).statusCode).toBe(200)
})

test('a recovery code works once, however it is typed, and its use is mailed', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { codes } = await setUpApp(app, ada)
  await app.deliverMails()
  const [code = ''] = codes
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`
  const { login } = (await askForSecondStep(app, ada)).second_factor
  expect((await finish(app, login, typed)).statusCode).toBe(200)
  expect(await factorsOf(ada)).toMatchObject({ recovery_codes_left: 9 })
  expect((await app.deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'recovery-code-used']])
  const other = (await askForSecondStep(app, ada)).second_factor
  expect(statusAndBody(await finish(app, other.login, code))).toEqual(incorrect)
  const renewed = await ada.post('/users/me/recovery-codes')
  const fresh = renewed.json<{ recovery_codes: string[] }>().recovery_codes
  expect(statusAndBody(await finish(app, other.login, codes[1] ?? ''))).toEqual(incorrect)
  expect((await finish(app, other.login, fresh[0] ?? '')).statusCode).toBe(200)
})

/** As people paste codes: with other blanks, dashes, digits, and marks of direction. */
const pasted = (groups: string[], wide: (text: string) => string): string[] => [
  groups.join('-'),
  groups.join('\u2013'),
  groups.join('\u2011'),
  groups.join('\u2212'),
  groups.join('\u00a0'),
  `\u202d${groups.join(' ')}\u202c\u200b`,
  wide(groups.join('-')),
]
const halves = (code: string): string[] => [code.slice(0, 3), code.slice(3)]
const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))

test('codes are accepted as people paste them, wherever they are entered', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { secret, codes } = await setUpApp(app, ada)
  const show = () => halves(totpCode(secret, app.clock.now()))
  const logIn = async (code: string) => {
    const { login } = (await askForSecondStep(app, ada)).second_factor
    return (await finish(app, login, code)).statusCode
  }
  const statuses = []
  for (const index of pasted(show(), wide).keys()) {
    app.clock.advance(STEP_MS)
    statuses.push(await logIn(pasted(show(), wide)[index] ?? ''))
    statuses.push(await logIn(pasted((codes[index] ?? '').toLowerCase().split('-'), wide)[index] ?? ''))
    app.clock.advance(STEP_MS)
    const json = { code: pasted(show(), wide)[index] }
    statuses.push((await ada.post('/users/me/confirm', json)).statusCode)
  }
  expect(statuses).toEqual(Array.from({ length: 21 }, () => 200))

  const ben = await app.newUser()
  for (const index of pasted(show(), wide).keys()) {
    const begun = await ben.post('/users/me/totp')
    const code = totpCode(begun.json<{ secret: string }>().secret, app.clock.now())
    const json = { code: pasted(halves(code), wide)[index] }
    const confirmed = await ben.post('/users/me/totp/confirm', json)
    expect(confirmed.statusCode).toBe(200)
    await ben.delete('/users/me/totp')
  }
})

test('what cannot be a code is refused, and is no guess', async () => {
  const app = await buildTestApp({ SECOND_FACTOR: 'all' })
  const ada = await app.newUser()

  const { secret } = (await ada.post('/users/me/totp')).json<{ secret: string }>()
  const impossible = ['1234567', 'abcdef', '١٢٣٤٥٦', 'ABCD-EFGH-IJKL-MNO1', '12345\u200b']
  const send = async (path: string, json: object) => statusAndBody(await ada.post(path, json))
  const sendAll = async (path: string, json: object = {}) => {
    for (let i = 0; i < 30; i += 1) {
      const code = impossible[i % impossible.length]
      expect(await send(path, { ...json, code })).toEqual(incorrect)
    }
  }
  const right = () => totpCode(secret, app.clock.now())

  await sendAll('/users/me/totp/confirm')
  expect((await send('/users/me/totp/confirm', { code: right() }))[0]).toBe(200)
  await sendAll('/users/me/confirm')
  app.clock.advance(STEP_MS)
  expect((await send('/users/me/confirm', { code: right() }))[0]).toBe(200)
  const { login } = (await askForSecondStep(app, ada)).second_factor
  await sendAll('/login/second-factor', { login })
  app.clock.advance(STEP_MS)
  expect((await send('/login/second-factor', { login, code: right() }))[0]).toBe(200)

  const ben = await app.newUser()
  const enrolment = (await askForSecondStep(app, ben)).second_factor
  const begun = await app.anonymous.post('/login/enrolment', { login: enrolment.login })
  await sendAll('/login/enrolment/confirm', { login: enrolment.login })
  const code = totpCode(begun.json<{ secret: string }>().secret, app.clock.now())
  expect((await send('/login/enrolment/confirm', { login: enrolment.login, code }))[0]).toBe(200)
})

test('an app confirms a session, and then a password does not', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { secret, codes } = await setUpApp(app, ada)
  app.clock.advance(10 * MINUTE)
  const confirm = async (json: object) => statusAndBody(await ada.post('/users/me/confirm', json))
  const removal = async () => (await ada.delete('/users/me/totp')).statusCode
  expect(await removal()).toBe(423)
  for (const password of [ada.password, 'wrong password'])
    expect(await confirm({ password })).toEqual([400, { detail: 'Use your authenticator app or a passkey' }])
  expect(await confirm({ code: codes[0] })).toEqual(incorrect)
  expect(await confirm({ code: wrongTotpCode(secret, app.clock.now()) })).toEqual(incorrect)
  const code = totpCode(secret, app.clock.now())
  expect((await confirm({ code, password: ada.password }))[0]).toBe(422)
  expect(await confirm({ code })).toEqual([200, { message: 'Confirmed' }])
  expect(await confirm({ code })).toEqual(incorrect)
  expect(await removal()).toBe(200)
  const ben = await app.newUser()
  const json = { code: '123456' }
  expect(statusAndBody(await ben.post('/users/me/confirm', json))).toEqual(incorrect)
})

test('the policy asks for an app inside the log-in, which sets it up', async () => {
  const app = await buildTestApp({ SECOND_FACTOR: 'superusers' })
  expect((await app.anonymous.get('/instance')).json()).toMatchObject({ second_factor: 'superusers' })
  const ben = await app.newUser()
  expect(await app.logIn(ben.email, ben.password)).toBeTypeOf('string')
  const ada = await app.newUser({ is_superuser: true })
  // A session that began before the policy stays.
  expect(await factorsOf(ada)).toMatchObject({ required: true })
  const asked = await askForSecondStep(app, ada)
  expect(asked).toEqual({
    detail: 'Set up an authenticator app to log in',
    second_factor: { login: expect.any(String), methods: [], enrol: true },
  })
  const { login } = asked.second_factor
  const confirm = (code: string) => app.anonymous.post('/login/enrolment/confirm', { login, code })
  expect(statusAndBody(await confirm('123456'))).toEqual([409, { detail: 'There is nothing to confirm' }])
  const { secret } = (await app.anonymous.post('/login/enrolment', { login })).json<{ secret: string }>()
  expect(statusAndBody(await confirm(wrongTotpCode(secret, app.clock.now())))).toEqual(incorrect)
  const code = totpCode(secret, app.clock.now())
  const entered = (await confirm(code)).json<{ access_token: string; token_type: string; recovery_codes: string[] }>()
  expect(entered).toMatchObject({ token_type: 'bearer', recovery_codes: { length: 10 } })
  expect((await app.as(entered.access_token).get('/users/me')).json()).toMatchObject({ id: ada.id })
  expect(statusAndBody(await confirm(code))).toEqual(expired)
  const next = await askForSecondStep(app, ada)
  expect(statusAndBody(await finish(app, next.second_factor.login, code))).toEqual(incorrect)
  const removal = await app.as(entered.access_token).delete('/users/me/totp')
  expect(statusAndBody(removal)).toEqual([409, { detail: 'A second factor is required here' }])
  expect(await factorsOf(ada)).toEqual({ totp: true, passkeys: 0, recovery_codes_left: 10, required: true })
})

test('under the policy the last passkey stays, and a passkey is enough', async () => {
  const app = await buildTestApp({ SECOND_FACTOR: 'all' })
  const ada = await app.newUser()
  const { key, made } = await register(ada)
  const { id } = made.json<{ id: string }>()
  const asked = await askForSecondStep(app, ada)
  expect(asked).toMatchObject({
    detail: 'Use your passkey to log in',
    second_factor: { methods: ['passkey'], enrol: false },
  })
  const { login } = asked.second_factor
  for (const url of ['/login/enrolment', '/login/enrolment/confirm'])
    expect(statusAndBody(await app.anonymous.post(url, { login, code: '123456' }))).toEqual(exists)
  expect((await logInWith(app, key)).statusCode).toBe(200)
  const remove = async (passkey: string) => statusAndBody(await ada.delete(`/users/me/passkeys/${passkey}`))
  expect(await remove(id)).toEqual([409, { detail: 'A second factor is required here' }])
  const second = (await register(ada, createAuthenticator())).made.json<{ id: string }>()
  expect((await remove(id))[0]).toBe(200)
  await setUpApp(app, ada)
  expect((await remove(second.id))[0]).toBe(200)
})

test('a log-in ends after 5 minutes, 5 wrong codes, and changes of password, app or status', async () => {
  const app = await buildTestApp()
  const root = await app.newUser({ is_superuser: true })
  const ada = await app.newUser()
  const { secret } = await setUpApp(app, ada)
  const ask = async () => (await askForSecondStep(app, ada)).second_factor.login
  const right = () => totpCode(secret, app.clock.now())
  const late = await ask()
  app.clock.advance(5 * MINUTE)
  expect(statusAndBody(await finish(app, late, right()))).toEqual(expired)
  const guessed = await ask()
  for (let i = 0; i < 5; i += 1)
    expect(statusAndBody(await finish(app, guessed, wrongTotpCode(secret, app.clock.now())))).toEqual(incorrect)
  expect(statusAndBody(await finish(app, guessed, right()))).toEqual(expired)
  expect(statusAndBody(await finish(app, 'made up', right()))).toEqual(expired)
  const old = await ask()
  for (let i = 0; i < 5; i += 1) {
    app.clock.advance(1)
    await ask()
  }
  expect(statusAndBody(await finish(app, old, right()))).toEqual(expired)
  const beforePassword = await ask()
  const patch = (json: object) => root.patch(`/users/${ada.id}`, json)
  await patch({ password: newPassword })
  ada.password = newPassword
  expect(statusAndBody(await finish(app, beforePassword, right()))).toEqual(expired)
  const beforeStatus = await ask()
  await patch({ is_active: false })
  expect(statusAndBody(await finish(app, beforeStatus, right()))).toEqual(expired)
  await patch({ is_active: true })
  expect((await finish(app, await ask(), right())).statusCode).toBe(200)
  await app.housekeeping.runAll()
  app.clock.advance(6 * MINUTE)
  await app.housekeeping.runAll()
  expect(await app.store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
})

test('a superuser reads and resets the second factor of another', async () => {
  const app = await buildTestApp()
  const root = await app.newUser({ is_superuser: true })
  const ada = await app.newUser()
  const { key } = await register(ada)
  await setUpApp(app, ada)
  await app.deliverMails()
  const url = `/users/${ada.id}/second-factor`

  expect((await root.get(url)).json()).toEqual({
    totp: true,
    passkeys: 1,
    recovery_codes_left: 10,
    required: false,
  })
  app.clock.advance(10 * MINUTE)
  expect((await root.delete(url)).statusCode).toBe(423)
  await root.post('/users/me/confirm', { password: root.password })
  const own = await root.delete(`/users/${root.id}/second-factor`)
  expect(statusAndBody(own)).toEqual([409, { detail: 'Use your own security page' }])
  const { login } = (await askForSecondStep(app, ada)).second_factor
  for (let i = 0; i < 2; i += 1) expect((await root.delete(url)).statusCode).toBe(200)
  expect(statusAndBody(await finish(app, login, '123456'))).toEqual(expired)
  expect((await ada.get('/users/me')).statusCode).toBe(401)
  expect((await logInWith(app, key)).statusCode).toBe(404)
  expect(await app.logIn(ada.email, ada.password)).toBeTypeOf('string')
  expect((await app.deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'second-factor-reset']])
})

test('everything is in the audit log', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const { secret, codes } = await setUpApp(app, ada)
  app.clock.advance(MINUTE)
  const { login } = (await askForSecondStep(app, ada)).second_factor
  await finish(app, login, wrongTotpCode(secret, app.clock.now()))
  await finish(app, login, totpCode(secret, app.clock.now()))
  await finish(app, (await askForSecondStep(app, ada)).second_factor.login, codes[0] ?? '')
  await ada.post('/users/me/recovery-codes')
  await ada.delete('/users/me/totp')
  const entries = await app.store.db
    .selectFrom('audit')
    .select(['action', 'result', 'subject_id', 'details'])
    .orderBy('id')
    .execute()
  expect(entries.map(({ action, result, details }) => `${action} ${details ?? result}`)).toEqual([
    'totp-create done',
    'second-factor wrong-code',
    'second-factor done',
    'log-in {"method":"totp"}',
    'second-factor done',
    'log-in {"method":"recovery-code"}',
    'recovery-codes done',
    'totp-delete done',
  ])
  expect(new Set(entries.map(({ subject_id }) => subject_id))).toEqual(new Set([ada.id]))
})
