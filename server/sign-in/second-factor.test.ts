import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../tests/support/authenticator.ts'
import { STEP_MS, totpCode, wrongTotpCode } from '../../tests/support/totp.ts'
import { buildTestApp, newPassword, type Person, statusAndBody, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith, resetByMail } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import { logInWith, register } from '../test/ceremonies.ts'
import { createTestDatabase } from '../test/databases.ts'
import { ask, askForSecondStep, finish, newUserWithApp, setUpApp } from '../test/second-factors.ts'
import { allAtOnce, buildServers, tally, TIMES } from '../test/two-servers.ts'

const MINUTE = 60_000
const incorrect = [400, { detail: 'Incorrect code' }]
const expired = [410, { detail: 'This log-in has expired, please start again' }]
const exists = [409, { detail: 'An authenticator app is already set up' }]

const stage = async (settings?: Record<string, string>) => newUserWithApp(await buildTestApp(settings))

async function stageServers() {
  const servers = await buildServers()
  return { servers, ...(await newUserWithApp(servers[0])) }
}

async function askTimes(app: TestApp, person: Person, times: number): Promise<string[]> {
  const logIns: string[] = []
  for (let i = 0; i < times; i += 1) logIns.push(await ask(app, person))
  return logIns
}

const factorsOf = async (person: Person) => (await person.get('/users/me/second-factor')).json<unknown>()

test('an app is set up, logs in once with each code, and is removed', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  expect(await factorsOf(ada)).toEqual({ totp: false, passkeys: 0, recovery_codes_left: 0, required: false })
  const { secret, uri, codes, code } = await setUpApp(app, ada)
  expect(new URL(uri).pathname).toBe(`/Steward:${encodeURIComponent(ada.email)}`)
  const parameters = { secret, issuer: 'Steward', algorithm: 'SHA1', digits: '6', period: '30' }
  expect(Object.fromEntries(new URL(uri).searchParams)).toEqual(parameters)
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
  const none = [404, { detail: 'No authenticator app is set up' }]
  expect(statusAndBody(await app.as(token).delete('/users/me/totp'))).toEqual(none)
  expect(statusAndBody(await finish(app, again.second_factor.login, '123456'))).toEqual(expired)
  expect(await factorsOf(ada)).toEqual({ totp: false, passkeys: 0, recovery_codes_left: 0, required: false })
  expect(await app.logIn(ada.email, ada.password)).toBeTypeOf('string')
  expect((await app.deliverMails()).map(({ kind }) => kind).toSorted()).toEqual(['app-added', 'app-removed'])
})

test('a secret is confirmed within 15 minutes, and the newest one only', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })

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
  const { app, ada, secret } = await stage()
  app.clock.advance(10 * STEP_MS)
  const login = await ask(app, ada)
  const far = totpCode(secret, app.clock.now() + 2 * Math.sign(skew) * STEP_MS)
  expect(statusAndBody(await finish(app, login, far))).toEqual(incorrect)
  expect((await finish(app, login, totpCode(secret, app.clock.now() + skew))).statusCode).toBe(200)
})

test('a recovery code works once, however it is typed, and its use is mailed', async () => {
  const { app, ada, codes } = await stage()
  await app.deliverMails()
  const [code = ''] = codes
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`
  expect((await finish(app, await ask(app, ada), typed)).statusCode).toBe(200)
  expect(await factorsOf(ada)).toMatchObject({ recovery_codes_left: 9 })
  expect((await app.deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'recovery-code-used']])
  const other = (await askForSecondStep(app, ada)).second_factor
  expect(statusAndBody(await finish(app, other.login, code))).toEqual(incorrect)
  const fresh = (await ada.post('/users/me/recovery-codes')).json<{ recovery_codes: string[] }>().recovery_codes
  expect(statusAndBody(await finish(app, other.login, codes[1] ?? ''))).toEqual(incorrect)
  expect((await finish(app, other.login, fresh[0] ?? '')).statusCode).toBe(200)
})

const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))

/** As people paste codes: with other blanks, dashes, digits, and marks of direction. */
const pasted = (groups: string[]): string[] => [
  groups.join('-'),
  groups.join('\u2013'),
  groups.join('\u2011'),
  groups.join('\u2212'),
  groups.join('\u00a0'),
  `\u202d${groups.join(' ')}\u202c\u200b`,
  wide(groups.join('-')),
]
const halves = (code: string): string[] => [code.slice(0, 3), code.slice(3)]

test('codes are accepted as people paste them, wherever they are entered', async () => {
  const { app, ada, codes, show: shown } = await stage()
  const show = () => halves(shown())
  const logIn = async (code = '') => (await finish(app, await ask(app, ada), code)).statusCode
  const statuses = []
  for (const index of pasted(show()).keys()) {
    app.clock.advance(STEP_MS)
    statuses.push(await logIn(pasted(show())[index]))
    statuses.push(await logIn(pasted((codes[index] ?? '').toLowerCase().split('-'))[index]))
    app.clock.advance(STEP_MS)
    statuses.push((await ada.post('/users/me/confirm', { code: pasted(show())[index] })).statusCode)
  }
  expect(statuses).toEqual(Array.from({ length: 21 }, () => 200))

  const ben = await app.newUser()
  for (const index of pasted(show()).keys()) {
    const code = totpCode((await ben.post('/users/me/totp')).json<{ secret: string }>().secret, app.clock.now())
    const confirmed = await ben.post('/users/me/totp/confirm', { code: pasted(halves(code))[index] })
    expect(confirmed.statusCode).toBe(200)
    await ben.delete('/users/me/totp')
  }
})

test('what cannot be a code is refused, and is no guess', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} }, { SECOND_FACTOR: 'all' })

  const { secret } = (await ada.post('/users/me/totp')).json<{ secret: string }>()
  const impossible = ['1234567', 'abcdef', '١٢٣٤٥٦', 'ABCD-EFGH-IJKL-MNO1', '12345\u200b']
  const send = async (path: string, json: object) => statusAndBody(await ada.post(path, json))
  const sendAll = async (path: string, json: object = {}) => {
    for (let i = 0; i < 30; i += 1)
      expect(await send(path, { ...json, code: impossible[i % impossible.length] })).toEqual(incorrect)
  }
  const right = () => totpCode(secret, app.clock.now())

  await sendAll('/users/me/totp/confirm')
  expect((await send('/users/me/totp/confirm', { code: right() }))[0]).toBe(200)
  await sendAll('/users/me/confirm')
  app.clock.advance(STEP_MS)
  expect((await send('/users/me/confirm', { code: right() }))[0]).toBe(200)
  const login = await ask(app, ada)
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
  const { app, ada, codes, show, showWrong } = await stage()
  app.clock.advance(10 * MINUTE)
  const confirm = async (json: object) => statusAndBody(await ada.post('/users/me/confirm', json))
  const removal = async () => (await ada.delete('/users/me/totp')).statusCode
  expect(await removal()).toBe(423)
  for (const password of [ada.password, 'wrong password'])
    expect(await confirm({ password })).toEqual([400, { detail: 'Use your authenticator app or a passkey' }])
  expect(await confirm({ code: codes[0] })).toEqual(incorrect)
  expect(await confirm({ code: showWrong() })).toEqual(incorrect)
  const code = show()
  expect((await confirm({ code, password: ada.password }))[0]).toBe(422)
  expect(await confirm({ code })).toEqual([200, { message: 'Confirmed' }])
  expect(await confirm({ code })).toEqual(incorrect)
  expect(await removal()).toBe(200)
  const ben = await app.newUser()
  expect(statusAndBody(await ben.post('/users/me/confirm', { code: '123456' }))).toEqual(incorrect)
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
  const { app, ada } = await buildTestAppWith({ ada: {} }, { SECOND_FACTOR: 'all' })
  const { key, made } = await register(ada)
  const { id } = made.json<{ id: string }>()
  const asked = await askForSecondStep(app, ada)
  const passkeyOnly = { detail: 'Use your passkey to log in', second_factor: { methods: ['passkey'], enrol: false } }
  expect(asked).toMatchObject(passkeyOnly)
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
  const { app, ada, show, showWrong } = await stage()
  const root = await app.newUser({ is_superuser: true })
  const late = await ask(app, ada)
  app.clock.advance(5 * MINUTE)
  expect(statusAndBody(await finish(app, late, show()))).toEqual(expired)
  const guessed = await ask(app, ada)
  for (let i = 0; i < 5; i += 1) expect(statusAndBody(await finish(app, guessed, showWrong()))).toEqual(incorrect)
  expect(statusAndBody(await finish(app, guessed, show()))).toEqual(expired)
  expect(statusAndBody(await finish(app, 'made up', show()))).toEqual(expired)
  const old = await ask(app, ada)
  for (let i = 0; i < 5; i += 1) {
    app.clock.advance(1)
    await ask(app, ada)
  }
  expect(statusAndBody(await finish(app, old, show()))).toEqual(expired)
  const beforePassword = await ask(app, ada)
  const patch = (json: object) => root.patch(`/users/${ada.id}`, json)
  await patch({ password: newPassword })
  ada.password = newPassword
  expect(statusAndBody(await finish(app, beforePassword, show()))).toEqual(expired)
  const beforeStatus = await ask(app, ada)
  await patch({ is_active: false })
  expect(statusAndBody(await finish(app, beforeStatus, show()))).toEqual(expired)
  await patch({ is_active: true })
  expect((await finish(app, await ask(app, ada), show())).statusCode).toBe(200)
  await app.housekeeping.runAll()
  app.clock.advance(6 * MINUTE)
  await app.housekeeping.runAll()
  expect(await app.store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
})

test('a superuser reads and resets the second factor of another', async () => {
  const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
  const { key } = await register(ada)
  await setUpApp(app, ada)
  await app.deliverMails()
  const url = `/users/${ada.id}/second-factor`

  expect((await root.get(url)).json()).toEqual({ totp: true, passkeys: 1, recovery_codes_left: 10, required: false })
  app.clock.advance(10 * MINUTE)
  expect((await root.delete(url)).statusCode).toBe(423)
  await root.post('/users/me/confirm', { password: root.password })
  const own = await root.delete(`/users/${root.id}/second-factor`)
  expect(statusAndBody(own)).toEqual([409, { detail: 'Use your own security page' }])
  const login = await ask(app, ada)
  for (let i = 0; i < 2; i += 1) expect((await root.delete(url)).statusCode).toBe(200)
  expect(statusAndBody(await finish(app, login, '123456'))).toEqual(expired)
  expect((await ada.get('/users/me')).statusCode).toBe(401)
  expect((await logInWith(app, key)).statusCode).toBe(404)
  expect(await app.logIn(ada.email, ada.password)).toBeTypeOf('string')
  expect((await app.deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'second-factor-reset']])
})

test('everything is in the audit log', async () => {
  const { app, ada, codes, show, showWrong } = await stage()
  const login = await ask(app, ada)
  await finish(app, login, showWrong())
  await finish(app, login, show())
  await finish(app, await ask(app, ada), codes[0] ?? '')
  await ada.post('/users/me/recovery-codes')
  await ada.delete('/users/me/totp')
  expect((await auditOf(app)).map((entry) => [entry.subject_id, entry.action, entry.details ?? entry.result])).toEqual([
    [ada.id, 'totp-create', 'done'],
    [ada.id, 'second-factor', 'wrong-code'],
    [ada.id, 'second-factor', 'done'],
    [ada.id, 'log-in', { method: 'totp' }],
    [ada.id, 'second-factor', 'done'],
    [ada.id, 'log-in', { method: 'recovery-code' }],
    [ada.id, 'recovery-codes', 'done'],
    [ada.id, 'totp-delete', 'done'],
  ])
})

describe('at the same time', () => {
  async function finishFive(servers: [TestApp, TestApp], person: Person, code: string) {
    const logIns = await askTimes(servers[0], person, 5)
    return tally(await Promise.all(logIns.map((one, index) => finish(servers[index % 2 ? 1 : 0], one, code))))
  }

  test('a code gives one session in one log-in, and in several', async () => {
    const { servers, app, ada, show } = await stageServers()
    const login = await ask(app, ada)
    const responses = await allAtOnce(servers, (server) => finish(server, login, show()))
    expect(tally(responses)).toEqual({ 200: 1, 410: TIMES - 1 })
    app.clock.advance(STEP_MS)
    expect(await finishFive(servers, ada, show())).toEqual({ 200: 1, 400: 4 })
  })

  test('a recovery code gives one session', async () => {
    const { servers, ada, codes } = await stageServers()
    expect(await finishFive(servers, ada, codes[0] ?? '')).toEqual({ 200: 1, 400: 4 })
  })

  test('a code confirms one session once, and does not log in as well', async () => {
    const { servers, app, ada, show } = await stageServers()
    const login = await ask(app, ada)
    const json = { code: show() }
    const responses = await Promise.all([
      finish(app, login, json.code),
      ...Array.from({ length: 8 }, (_, index) => servers[index % 2 ? 1 : 0].as(ada).post('/users/me/confirm', json)),
    ])
    expect(tally(responses)).toEqual({ 200: 1, 400: 8 })
  })

  test('a code sets up one app, in a session and in a log-in', async () => {
    const servers = await buildServers({ SECOND_FACTOR: 'all' })
    const [app] = servers
    const [ada, ben] = [await app.newUser(), await app.newUser()]
    const code = totpCode((await ada.post('/users/me/totp')).json<{ secret: string }>().secret, app.clock.now())
    const inSession = await allAtOnce(servers, (server) => server.as(ada).post('/users/me/totp/confirm', { code }))
    expect(tally(inSession)).toEqual({ 200: 1, 409: TIMES - 1 })

    const login = await ask(app, ben)
    const enrolling = await app.anonymous.post('/login/enrolment', { login })
    const json = { login, code: totpCode(enrolling.json<{ secret: string }>().secret, app.clock.now()) }
    const inLogIn = await allAtOnce(servers, (server) => server.anonymous.post('/login/enrolment/confirm', json))
    expect(tally(inLogIn)).toEqual({ 200: 1, 410: TIMES - 1 })
    expect(await app.store.db.selectFrom('recovery_codes').selectAll().execute()).toHaveLength(20)
  })

  test('wrong codes are checked 5 times in a log-in, and 20 times over all', async () => {
    const { servers, app, ada, showWrong } = await stageServers()
    const wrong = showWrong()
    const counts: Record<number, number>[] = []
    for (let round = 0; round < 5; round += 1) {
      const login = await ask(app, ada)
      counts.push(tally(await allAtOnce(servers, (server) => finish(server, login, wrong))))
    }
    const each = { 400: 5, 410: TIMES - 5 }
    expect(counts).toEqual([each, each, each, each, { 429: TIMES }])
  })

  test('the waits grow: 20 wrong codes an hour, and 40 a day, until the password changes; the owner hears of it once', async () => {
    const { app, ada, showWrong } = await stage()
    await app.deliverMails()
    const root = await app.newUser({ is_superuser: true })
    const guess = async (person = ada) => (await finish(app, await ask(app, person), showWrong())).statusCode
    const guessUntilRefused = async () => {
      let checked = 0
      while (checked < 100 && (await guess()) === 400) checked += 1
      return checked
    }
    const found = []
    for (let hour = 0; hour < 24; hour += 1) {
      found.push(await guessUntilRefused())
      app.clock.advance(60 * MINUTE)
    }
    expect(found.slice(0, 3)).toEqual([20, 20, 0])
    expect(found.reduce((sum, number) => sum + number)).toBe(40)
    const notices = (await app.deliverMails()).filter(({ kind }) => kind === 'wrong-codes')
    expect(notices.map(({ to }) => to)).toEqual([ada.email])
    expect(notices[0]?.text).toContain('Ten wrong codes were entered')
    expect(await guessUntilRefused()).toBe(20)
    const token = await app.logIn(root.email, root.password)
    await app.as(token).patch(`/users/${ada.id}`, { password: newPassword })
    expect(await guess({ ...ada, password: newPassword })).toBe(400)
  })

  test('a session guesses codes 40 times a day, and the owner hears of it', async () => {
    const { app, ada, showWrong } = await stage()
    await app.deliverMails()
    let checked = 0
    for (let quarter = 0; quarter < 24; quarter += 1) {
      for (let guesses = 0; guesses < 20; guesses += 1) {
        const { statusCode } = await ada.post('/users/me/confirm', { code: showWrong() })
        expect([400, 429]).toContain(statusCode)
        if (statusCode === 400) checked += 1
      }
      app.clock.advance(16 * MINUTE)
    }
    expect(checked).toBe(40)
    expect((await app.deliverMails()).filter(({ kind }) => kind === 'wrong-codes')).toHaveLength(1)
  })

  test('the app and the last passkey are not both removed where one is required', async () => {
    const [one, two] = await buildServers({ SECOND_FACTOR: 'all' })
    for (let round = 0; round < 10; round += 1) {
      const ada = await one.newUser()
      const { id } = (await register(ada)).made.json<{ id: string }>()
      await setUpApp(one, ada)

      const removals = [ada.delete('/users/me/totp'), two.as(ada).delete(`/users/me/passkeys/${id}`)]
      expect(tally(await Promise.all(removals))).toEqual({ 200: 1, 409: 1 })
    }
  })

  test('a log-in does not outlive a new password', async () => {
    const { servers, app, ada, codes } = await stageServers()
    const root = await app.newUser({ is_superuser: true })
    for (const code of codes) {
      const login = await ask(app, ada)
      const [, entered] = await Promise.all([
        servers[1].as(root).patch(`/users/${ada.id}`, { password: ada.password }),
        finish(app, login, code),
      ])
      expect([200, 410]).toContain(entered.statusCode)
      expect(await app.store.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id).execute()).toEqual([])
    }
  })
})

describe('a half log-in', () => {
  test('does not set up an app where a factor exists, or came meanwhile', async () => {
    const { app, ada, show } = await stage({ SECOND_FACTOR: 'all' })
    const enrol = async (url: string, login: string) =>
      statusAndBody(await app.anonymous.post(url, { login, code: '123456' }))
    const urls = ['/login/enrolment', '/login/enrolment/confirm']
    const login = await ask(app, ada)
    for (const url of urls) expect(await enrol(url, login)).toEqual(exists)
    expect((await finish(app, login, show())).statusCode).toBe(200)

    const ben = await app.newUser()
    const [first = '', second = ''] = await askTimes(app, ben, 2)
    await enrol('/login/enrolment', second)
    const begun = await app.anonymous.post('/login/enrolment', { login: first })
    const code = totpCode(begun.json<{ secret: string }>().secret, app.clock.now())
    expect((await app.anonymous.post('/login/enrolment/confirm', { login: first, code })).statusCode).toBe(200)
    for (const url of urls) expect(await enrol(url, second)).toEqual(exists)
    expect(statusAndBody(await finish(app, second, code))).toEqual(expired)
  })

  test('of an enrolment has no other way in', async () => {
    const app = await buildTestApp({ SECOND_FACTOR: 'all' })
    const login = await ask(app, await app.newUser())
    expect(statusAndBody(await finish(app, login, '123456'))).toEqual(incorrect)
    expect((await app.as(login).get('/users/me')).statusCode).toBe(401)
  })

  test('makes no session, no activity and no known network', async () => {
    const { app, ada } = await stage()
    const tables = async () => [
      await app.store.db.selectFrom('sessions').selectAll().execute(),
      await app.store.db.selectFrom('known_networks').selectAll().execute(),
      await app.store.db.selectFrom('users').select('last_active_at').execute(),
    ]
    const before = await tables()
    app.clock.advance(MINUTE)
    await finish(app, await ask(app, ada), '000000')
    expect(await tables()).toEqual(before)
  })

  test('from another site is refused at every step', async () => {
    const { app, ada, show } = await stage()
    const login = await ask(app, ada)
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const url of ['/login/second-factor', '/login/enrolment', '/login/enrolment/confirm']) {
      const answer = await app.anonymous.post(url, { login, code: show() }, { headers })
      expect(statusAndBody(answer)).toEqual([400, { detail: 'Log-in from another site is refused' }])
    }
    expect((await finish(app, login, show())).statusCode).toBe(200)
  })

  test('is not offered for a wrong password or an inactive account', async () => {
    const { app, ada } = await stage()
    const attempt = async (password: string) => statusAndBody(await app.tryLogIn(ada.email, password))
    expect(await attempt('wrong')).toEqual([400, { detail: 'Incorrect email or password' }])
    await app.store.db.updateTable('users').set({ is_active: 0 }).where('id', '=', ada.id).execute()
    expect(await attempt(ada.password)).toEqual([400, { detail: 'Inactive user' }])
    expect(await app.store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
  })
})

describe('new passwords do not buy more guesses of codes', () => {
  /** Guesses until they are refused. @returns how many codes were checked */
  async function guessAll({ app, ada, showWrong }: Awaited<ReturnType<typeof stage>>): Promise<number> {
    for (let checked = 0; ; checked += 1)
      if ((await finish(app, await ask(app, ada), showWrong())).statusCode === 429) return checked
  }

  test('to a session with the password', async () => {
    const scene = await stage()
    const { ada } = scene
    let checked = 0
    for (let round = 0; round < 10; round += 1) {
      const json = { current_password: ada.password, new_password: `password number ${round}` }
      expect((await ada.patch('/users/me/password', json)).statusCode).toBe(200)
      ada.password = json.new_password
      checked += await guessAll(scene)
    }
    expect(checked).toBe(60)
  })

  test('to who reads the mails', async () => {
    const scene = await stage()
    const { app, ada } = scene
    let checked = 0
    for (let round = 0; round < 10; round += 1) {
      app.clock.advance(MINUTE)
      const json = { new_password: `password number ${round}` }
      expect((await resetByMail(app, ada.email, json, { ip: `192.0.2.${round}` })).statusCode).toBe(200)
      ada.password = json.new_password
      checked += await guessAll(scene)
    }
    expect(checked).toBe(60)
  })
})

describe('the second factor', () => {
  test('survives a reset of the password', async () => {
    const { app, ada, show } = await stage()
    expect((await resetByMail(app, ada.email)).statusCode).toBe(200)
    expect((await finish(app, await ask(app, { ...ada, password: newPassword }), show())).statusCode).toBe(200)
  })

  test('is deleted with the account', async () => {
    const { app, ada } = await stage()
    await ask(app, ada)
    expect((await ada.delete('/users/me')).statusCode).toBe(200)
    for (const table of ['authenticator_apps', 'recovery_codes', 'challenges'] as const)
      expect(await app.store.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  test('is asked for at the next log-in when the policy begins; sessions stay', async () => {
    const database = await createTestDatabase({ shared: true })
    const { app, ada } = await buildTestAppWith({ ada: {} }, {}, { database })
    const after = await buildTestApp({ SECOND_FACTOR: 'all' }, { database, clock: app.clock })
    expect((await after.as(ada).get('/users/me')).statusCode).toBe(200)
    expect((await askForSecondStep(after, ada)).second_factor.enrol).toBe(true)
  })
})
