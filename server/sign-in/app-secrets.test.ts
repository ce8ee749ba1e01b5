import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../tests/support/totp.ts'
import { backUp } from '../operation/backup.ts'
import { openSqlite, sqliteFile } from '../platform/database/open.ts'
import { createEncryptionAtRest, keyFile } from '../platform/encryption-at-rest.ts'
import { buildTestApp, type Person, statusAndBody, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { logInWith, register } from '../test/ceremonies.ts'
import { createTestDatabase } from '../test/databases.ts'
import { newFolder } from '../test/new-folder.ts'
import { ask, finish, newUserWithApp, setUpApp } from '../test/second-factors.ts'
import { appSecrets } from './app-secrets.ts'

const MINUTE = 60_000
const incorrect = [400, { detail: 'Incorrect code' }]
const uncheckable = [
  503,
  { detail: 'Codes of authenticator apps cannot be checked now, please use a recovery code or a passkey' },
]
const KEY = 'a key of thirty-two characters or more'
const OTHER_KEY = 'another key of thirty-two characters'

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
        expect(statusAndBody(await app.as(ada).post('/users/me/confirm', { code }))).toEqual(uncheckable)
      }
      // Nobody learned whether these codes were right, so they do not count as guesses.
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
    const { app, ada, show } = await newUserWithApp(await buildTestApp())
    const { db } = app.store
    const ben = await app.newUser()
    await setUpApp(app, ben)
    const encrypted = db.selectFrom('authenticator_apps').select('secret').where('user_id', '=', ada.id)
    const { secret: stolen } = await encrypted.executeTakeFirstOrThrow()
    const ofBen = db.updateTable('authenticator_apps').where('user_id', '=', ben.id)
    await ofBen.set({ secret: stolen, last_step: 0 }).execute()
    expect(statusAndBody(await finish(app, await ask(app, ben), show()))).toEqual(uncheckable)
  })

  test('is needed on PostgreSQL', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} }, { DATABASE_URL: 'postgres://nowhere' })
    expect(statusAndBody(await ada.post('/users/me/totp'))).toEqual([409, { detail: 'SECRET_KEY is not set' }])
    expect(app.log.text()).toContain('SECRET_KEY is not set: nobody can set up an authenticator app')
  })

  test('is made at first use, once by several processes, for its owner only', async () => {
    const dataDir = join(newFolder(), 'data')
    const config = { dataDir, databaseUrl: undefined, secretKey: undefined }
    const unused = createEncryptionAtRest(config, appSecrets, () => {})
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
    const encryption = createEncryptionAtRest(config, appSecrets, () => {})
    for (const { stdout } of encrypted) expect(encryption.decrypt('ada', stdout.trim()).toString()).toBe('secret')
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
    expect(statSync(keyFile({ dataDir })).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written now is 503', async () => {
    // Nobody can create a folder there.
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
  const { ada, secret, uri, codes, showWrong } = await newUserWithApp(app)
  const pending = (await root.post('/users/me/totp')).json<{ secret: string }>().secret
  const login = await ask(app, ada)
  const used = await ask(app, ada)
  const answers = [
    await finish(app, login, showWrong()),
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
