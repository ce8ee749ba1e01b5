import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { STEP_MS, totpCode, wrongTotpCode } from '../../tests/support/totp.ts'
import { backUp } from '../operation/backup.ts'
import { openSqlite, sqliteFile } from '../platform/database/open.ts'
import { createEncryptionAtRest, keyFile } from '../platform/encryption-at-rest.ts'
import { appSecrets } from '../sign-in/app-secrets.ts'
import { buildTestApp, newPassword, type Person, statusAndBody, type TestApp, tokenIn } from './build-test-app.ts'
import { logInWith, register } from './ceremonies.ts'
import { createTestDatabase } from './databases.ts'
import { askForSecondStep, finish, setUpApp } from './second-factors.ts'
import { allAtOnce, buildServers, tally, TIMES } from './two-servers.ts'

const MINUTE = 60_000
const incorrect = [400, { detail: 'Incorrect code' }]
const uncheckable = [
  503,
  { detail: 'Codes of authenticator apps cannot be checked now, please use a recovery code or a passkey' },
]
const expired = [410, { detail: 'This log-in has expired, please start again' }]
const exists = [409, { detail: 'An authenticator app is already set up' }]
const KEY = 'a key of thirty-two characters or more'
const OTHER_KEY = 'another key of thirty-two characters'

/** Servers with an account that has an app, whose next code was not used. */
async function stage(settings: Record<string, string> = {}) {
  const servers = await buildServers(settings)
  const [app] = servers
  const ada = await app.newUser()
  const made = await setUpApp(app, ada)
  app.clock.advance(2 * STEP_MS)
  return { servers, app, ada, ...made, show: () => totpCode(made.secret, app.clock.now()) }
}

const ask = async (app: TestApp, person: Person) => (await askForSecondStep(app, person)).second_factor.login

async function askTimes(app: TestApp, person: Person, times: number): Promise<string[]> {
  const logIns: string[] = []
  for (let i = 0; i < times; i += 1) logIns.push(await ask(app, person))
  return logIns
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('at the same time', () => {
  test('a code gives one session in one log-in, and in several', async () => {
    const { servers, app, ada, show } = await stage()
    const login = await ask(app, ada)
    const responses = await allAtOnce(servers, (server) => finish(server, login, show()))
    expect(tally(responses)).toEqual({ 200: 1, 410: TIMES - 1 })
    app.clock.advance(STEP_MS)
    const logIns = await askTimes(app, ada, 5)
    const others = await Promise.all(logIns.map((one, index) => finish(servers[index % 2 ? 1 : 0], one, show())))
    expect(tally(others)).toEqual({ 200: 1, 400: 4 })
  })

  test('a recovery code gives one session', async () => {
    const { servers, app, ada, codes } = await stage()
    const logIns = await askTimes(app, ada, 5)
    const all = await Promise.all(logIns.map((one, index) => finish(servers[index % 2 ? 1 : 0], one, codes[0] ?? '')))
    expect(tally(all)).toEqual({ 200: 1, 400: 4 })
  })

  test('a code confirms one session once, and does not log in as well', async () => {
    const { servers, app, ada, show } = await stage()
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
    const begun = await ada.post('/users/me/totp')
    const code = totpCode(begun.json<{ secret: string }>().secret, app.clock.now())
    const inSession = await allAtOnce(servers, (server) => server.as(ada).post('/users/me/totp/confirm', { code }))
    expect(tally(inSession)).toEqual({ 200: 1, 409: TIMES - 1 })

    const login = await ask(app, ben)
    const enrolling = await app.anonymous.post('/login/enrolment', { login })
    const json = { login, code: totpCode(enrolling.json<{ secret: string }>().secret, app.clock.now()) }
    const inLogIn = await allAtOnce(servers, (server) => server.anonymous.post('/login/enrolment/confirm', json))
    expect(tally(inLogIn)).toEqual({ 200: 1, 410: TIMES - 1 })
    const codes = await app.store.db.selectFrom('recovery_codes').selectAll().execute()
    expect(codes).toHaveLength(20)
  })

  test('wrong codes are checked 5 times in a log-in, and 20 times over all', async () => {
    const { servers, app, ada, secret } = await stage()
    const wrong = wrongTotpCode(secret, app.clock.now())
    const counts: Record<number, number>[] = []
    for (let round = 0; round < 5; round += 1) {
      const login = await ask(app, ada)
      counts.push(tally(await allAtOnce(servers, (server) => finish(server, login, wrong))))
    }
    const each = { 400: 5, 410: TIMES - 5 }
    expect(counts).toEqual([each, each, each, each, { 429: TIMES }])
  })

  test('the waits grow: 20 wrong codes an hour, and 40 a day, until the password changes; the owner hears of it once', async () => {
    const { app, ada, secret } = await stage()
    await app.deliverMails()
    const root = await app.newUser({ is_superuser: true })
    const guess = async (person = ada) => {
      const login = await ask(app, person)
      const { statusCode } = await finish(app, login, wrongTotpCode(secret, app.clock.now()))
      return statusCode
    }
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
    const { app, ada, secret } = await stage()
    await app.deliverMails()
    let checked = 0
    for (let quarter = 0; quarter < 24; quarter += 1) {
      for (let guesses = 0; guesses < 20; guesses += 1) {
        const json = { code: wrongTotpCode(secret, app.clock.now()) }
        const { statusCode } = await ada.post('/users/me/confirm', json)
        expect([400, 429]).toContain(statusCode)
        if (statusCode === 400) checked += 1
      }
      app.clock.advance(16 * MINUTE)
    }
    expect(checked).toBe(40)
    expect((await app.deliverMails()).filter(({ kind }) => kind === 'wrong-codes')).toHaveLength(1)
  })

  test('the app and the last passkey are not both removed where one is required', async () => {
    const servers = await buildServers({ SECOND_FACTOR: 'all' })
    const [one, two] = servers
    for (let round = 0; round < 10; round += 1) {
      const ada = await one.newUser()
      const { id } = (await register(ada)).made.json<{ id: string }>()
      await setUpApp(one, ada)

      const removals = await Promise.all([
        one.as(ada).delete('/users/me/totp'),
        two.as(ada).delete(`/users/me/passkeys/${id}`),
      ])
      expect(tally(removals)).toEqual({ 200: 1, 409: 1 })
    }
  })

  test('a log-in does not outlive a new password', async () => {
    const { servers, app, ada, codes } = await stage()
    const root = await app.newUser({ is_superuser: true })
    for (const code of codes) {
      const login = await ask(app, ada)
      const [, entered] = await Promise.all([
        servers[1].as(root).patch(`/users/${ada.id}`, { password: ada.password }),
        finish(app, login, code),
      ])
      expect([200, 410]).toContain(entered.statusCode)
      const sessions = await app.store.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id).execute()
      expect(sessions).toEqual([])
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
    const done = await app.anonymous.post('/login/enrolment/confirm', { login: first, code })
    expect(done.statusCode).toBe(200)
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

describe('guesses', () => {
  test('over many log-ins and networks are 20 an hour; a passkey still gets in', async () => {
    const { app, ada, secret, codes, show } = await stage()
    const { key } = await register(ada)
    for (let i = 0; i < 20; i += 1) {
      const login = await ask(app, ada)
      const wrong = i % 2 ? 'AAAA-BBBB-CCCC-DDDD' : wrongTotpCode(secret, app.clock.now())
      expect(statusAndBody(await finish(app, login, wrong, { ip: `203.0.113.${i}` }))).toEqual(incorrect)
    }
    for (const code of [show(), codes[0] ?? '', '000000']) {
      const refused = await finish(app, await ask(app, ada), code, { ip: '198.51.100.1' })
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
    }
    expect((await logInWith(app, key)).statusCode).toBe(200)
    app.clock.advance(60 * MINUTE)
    expect((await finish(app, await ask(app, ada), show())).statusCode).toBe(200)
  })

  test('in a session count like those of the own password', async () => {
    const { app, ada, secret, show } = await stage()
    const confirm = async (code: string) => (await ada.post('/users/me/confirm', { code })).statusCode
    for (let i = 0; i < 10; i += 1) expect(await confirm(wrongTotpCode(secret, app.clock.now()))).toBe(400)
    expect(await confirm(show())).toBe(429)
  })
})

describe('new passwords do not buy more guesses of codes', () => {
  /** Guesses until they are refused. @returns how many codes were checked */
  async function guessAll(app: TestApp, person: Person, secret: string): Promise<number> {
    for (let checked = 0; ; checked += 1) {
      const login = await ask(app, person)
      const { statusCode } = await finish(app, login, wrongTotpCode(secret, app.clock.now()))
      if (statusCode === 429) return checked
    }
  }

  test('to a session with the password', async () => {
    const { app, ada, secret } = await stage()
    let checked = 0
    for (let round = 0; round < 10; round += 1) {
      const json = { current_password: ada.password, new_password: `password number ${round}` }
      expect((await ada.patch('/users/me/password', json)).statusCode).toBe(200)
      ada.password = json.new_password
      checked += await guessAll(app, ada, secret)
    }
    expect(checked).toBe(60)
  })

  test('to who reads the mails', async () => {
    const { app, ada, secret } = await stage()
    await app.deliverMails()
    let checked = 0
    for (let round = 0; round < 10; round += 1) {
      const ip = `192.0.2.${round}`
      app.clock.advance(MINUTE)
      await app.anonymous.post(`/password-recovery/${ada.email}`, undefined, { ip })
      const mail = (await app.deliverMails()).find(({ kind }) => kind === 'recovery')
      const json = { token: tokenIn(mail), new_password: `password number ${round}` }
      expect((await app.anonymous.post('/reset-password/', json, { ip })).statusCode).toBe(200)
      ada.password = json.new_password
      checked += await guessAll(app, ada, secret)
    }
    expect(checked).toBe(60)
  })
})

describe('the second factor', () => {
  test('survives a reset of the password', async () => {
    const { app, ada, show } = await stage()
    await app.deliverMails()
    await app.anonymous.post(`/password-recovery/${ada.email}`)
    const json = { token: tokenIn((await app.deliverMails())[0]), new_password: newPassword }
    expect((await app.anonymous.post('/reset-password/', json)).statusCode).toBe(200)
    const login = await ask(app, { ...ada, password: newPassword })
    expect((await finish(app, login, show())).statusCode).toBe(200)
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
    const before = await buildTestApp({}, { database })
    const ada = await before.newUser()
    const after = await buildTestApp({ SECOND_FACTOR: 'all' }, { database, clock: before.clock })
    expect((await after.as(ada).get('/users/me')).statusCode).toBe(200)
    expect((await askForSecondStep(after, ada)).second_factor.enrol).toBe(true)
  })
})

describe('the key', () => {
  test('that is lost or changed leaves recovery codes and passkeys, and one warning', async () => {
    const database = await createTestDatabase({ shared: true })
    const before = await buildTestApp({ SECRET_KEY: KEY }, { database })
    const ada = await before.newUser()
    const { secret, codes } = await setUpApp(before, ada)
    const { key } = await register(ada)
    for (const [index, settings] of [{ SECRET_KEY: OTHER_KEY }, { DATA_DIR: newFolder() }].entries()) {
      const app = await buildTestApp(settings, { database, clock: before.clock })
      app.clock.advance(MINUTE)
      for (let i = 0; i < 2; i += 1) {
        const code = totpCode(secret, app.clock.now())
        expect(statusAndBody(await finish(app, await ask(app, ada), code))).toEqual(uncheckable)
        const confirmed = await app.as(ada).post('/users/me/confirm', { code })
        expect(statusAndBody(confirmed)).toEqual(uncheckable)
      }
      // Nothing was learned about the codes, so no guess counts.
      const login = await ask(app, ada)
      for (let i = 0; i < 25; i += 1) expect(statusAndBody(await finish(app, login, '123456'))).toEqual(uncheckable)
      expect(statusAndBody(await finish(app, login, 'ABCD-EFGH-ABCD-EFGH'))).toEqual(incorrect)
      expect(app.log.lines().filter(({ level }) => level === 40)).toHaveLength(1)
      expect(app.log.text()).toContain('The key of the authenticator apps was lost or changed')
      expect((await finish(app, await ask(app, ada), codes[index] ?? '')).statusCode).toBe(200)
      expect((await logInWith(app, key)).statusCode).toBe(200)
    }
    before.clock.advance(MINUTE)
    const login = await ask(before, ada)
    expect((await finish(before, login, totpCode(secret, before.clock.now()))).statusCode).toBe(200)
  })

  test('opens a secret for its own account only', async () => {
    const { app, ada, show } = await stage()
    const { db } = app.store
    const ben = await app.newUser()
    await setUpApp(app, ben)
    const encrypted = db.selectFrom('authenticator_apps').select('secret').where('user_id', '=', ada.id)
    const { secret: stolen } = await encrypted.executeTakeFirstOrThrow()
    await db
      .updateTable('authenticator_apps')
      .set({ secret: stolen, last_step: 0 })
      .where('user_id', '=', ben.id)
      .execute()
    expect(statusAndBody(await finish(app, await ask(app, ben), show()))).toEqual(uncheckable)
  })

  test('is needed on PostgreSQL', async () => {
    const app = await buildTestApp({ DATABASE_URL: 'postgres://nowhere' })
    const ada = await app.newUser()
    const begun = await ada.post('/users/me/totp')
    expect(statusAndBody(begun)).toEqual([409, { detail: 'SECRET_KEY is not set' }])
    expect(app.log.text()).toContain('SECRET_KEY is not set: nobody can set up an authenticator app')
  })

  test('is made at first use, once by several processes, for its owner only', async () => {
    const dataDir = join(newFolder(), 'data')
    const unused = createEncryptionAtRest(
      { dataDir, databaseUrl: undefined, secretKey: undefined },
      appSecrets,
      () => {},
    )
    expect(() => unused.decrypt('x', 'x')).toThrow('cannot be checked now')
    expect(existsSync(dataDir)).toBe(false)
    const path = (name: string) => JSON.stringify(join(import.meta.dirname, '..', name))
    const script = `import { createEncryptionAtRest } from ${path('platform/encryption-at-rest.ts')}
      import { appSecrets } from ${path('sign-in/app-secrets.ts')}
      const encryption = createEncryptionAtRest({ dataDir: ${JSON.stringify(dataDir)} }, appSecrets, () => {})
      console.log(encryption.encrypt('ada', Buffer.from('secret')))`
    const run = promisify(execFile)
    const encrypted = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', script])),
    )
    const encryption = createEncryptionAtRest(
      { dataDir, databaseUrl: undefined, secretKey: undefined },
      appSecrets,
      () => {},
    )
    for (const { stdout } of encrypted) expect(encryption.decrypt('ada', stdout.trim()).toString()).toBe('secret')
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
    expect(statSync(keyFile({ dataDir })).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written now is 503', async () => {
    // Nobody can make a folder there.
    const app = await buildTestApp({ DATA_DIR: '/sys/steward' })
    app.log.expectErrors()
    const ada = await app.newUser()
    const begun = await ada.post('/users/me/totp')
    expect(statusAndBody(begun)).toEqual([503, { detail: 'Service temporarily unavailable' }])
    expect(Number(begun.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('that is damaged makes no new secrets, and crashes nothing', async () => {
    const dataDir = newFolder()
    writeFileSync(keyFile({ dataDir }), '')
    const app = await buildTestApp({ DATA_DIR: dataDir })
    expect(app.log.text()).toContain(`${keyFile({ dataDir })} is damaged`)
    const ada = await app.newUser()
    const begun = await ada.post('/users/me/totp')
    expect(statusAndBody(begun)).toEqual([503, { detail: 'Authenticator apps cannot be set up now' }])
    expect(readFileSync(keyFile({ dataDir }), 'utf8')).toBe('')
    expect(() => app.context.encryption.decrypt('x', 'x')).toThrow('cannot be checked now')
  })
})

test('secrets are readable nowhere: database, backup, log, errors, exports, audit log, mails', async () => {
  const dataDir = newFolder()
  const app = await buildTestApp({ DATA_DIR: dataDir }, { database: { open: () => openSqlite({ dataDir }) } })
  const root = await app.newUser({ is_superuser: true })
  const ada = await app.newUser()
  const { secret, uri, codes } = await setUpApp(app, ada)
  app.clock.advance(MINUTE)
  const begun = await root.post('/users/me/totp')
  const pending = begun.json<{ secret: string }>().secret
  const login = await ask(app, ada)
  const used = await ask(app, ada)
  const answers = [
    await finish(app, login, wrongTotpCode(secret, app.clock.now())),
    await finish(app, used, codes[0] ?? ''),
    await app.app.inject(`/login?login=${login}`),
    await ada.get('/users/me/second-factor'),
    await root.get(`/users/${ada.id}/second-factor`),
    await root.get('/users/export'),
    await root.get('/audit/export'),
    await root.get('/audit/'),
  ]
  const mails = JSON.stringify(await app.deliverMails())
  const backup = join(newFolder(), 'copy.db')
  backUp(sqliteFile({ dataDir }), backup, { overwrite: false })
  const files = ['', '-wal'].map((end) => `${sqliteFile({ dataDir })}${end}`).concat(backup)
  const texts = [
    ...files.map((file) => readFileSync(file, 'latin1')),
    app.log.text(),
    mails,
    ...answers.map((one) => one.body),
  ]
  const key = readFileSync(keyFile({ dataDir }), 'utf8')
  const secrets = [secret, pending, uri, key, login, used, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]
  for (const text of texts) {
    expect(text.length).toBeGreaterThan(0)
    for (const one of secrets) expect(text.includes(one)).toBe(false)
  }
  const raw = app.context.encryption.decrypt(ada.id, (await sealedOf(app, ada)).secret)
  for (const text of texts) expect(text.includes(raw.toString('latin1'))).toBe(false)
})

function sealedOf({ store }: TestApp, { id }: Person) {
  return store.db.selectFrom('authenticator_apps').select('secret').where('user_id', '=', id).executeTakeFirstOrThrow()
}
