import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { copyToPostgres } from '../cli/copy-to-postgres.ts'
import { copyAll, CopyRefused } from './copy.ts'
import { STEP_MS, totpCode } from '../../tests/support/totp.ts'
import { readConfig } from '../platform/config.ts'
import { keyFile } from '../platform/encryption-at-rest.ts'
import { openSqlite } from '../platform/database/open.ts'
import type { Store } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { createTestDatabase } from '../test/databases.ts'
import { addUsers } from '../test/many-users.ts'
import { askForSecondStep, finish, setUpApp } from '../test/second-factors.ts'
import { newFolder } from '../test/new-folder.ts'
import { run } from '../test/run-command.ts'
import { snapshot } from '../test/snapshot.ts'

/** An SQLite installation with data in every table. @param others the number of users besides */
async function buildInstallation(others = 0) {
  const dataDir = newFolder()
  const built = await buildTestApp({}, { database: { open: () => openSqlite({ dataDir }) } })
  const root = await built.newUser({ is_superuser: true })
  const ada = await built.newUser({ full_name: 'Ada 👩‍🚀 "L"' })
  for (const sample of anyResource) {
    const id = await addRow(ada, sample)
    built.clock.advance(1_001)
    await ada.put(`/${sample.table}/${id}`, { [sample.searched[0]]: 'Ünïcode \u{1F600} ’ \\ \n' })
  }
  await addUsers(built, others)
  await built.anonymous.post(`/password-recovery/${ada.email}`)
  await built.deliverMails()
  await built.anonymous.post(`/password-recovery/${root.email}`)
  await built.tryLogIn(ada.email, 'not this one')
  await built.as(root).delete(`/users/${(await built.newUser()).id}`)
  return { ...built, root, ada }
}

const countOf = async ({ db }: Store, table: keyof Tables): Promise<number> =>
  (await db.selectFrom(table).selectAll().execute()).length

test('all data is copied, in several parts, and sessions, passwords and mails work there', async () => {
  const { store, root, ada, clock } = await buildInstallation(600)
  const before = (await snapshot({ store })).rows
  const target = await (await createTestDatabase()).open()
  const copied = await copyAll(store, target)

  const rows = Object.fromEntries(copied.map(({ table, rows: count }) => [table, count]))
  expect(rows).toMatchObject({ users: 602, sessions: 2, challenges: 1, outbox: 1 })
  expect(rows['limits']).toBeGreaterThan(0)
  expect(rows['audit']).toBeGreaterThan(0)
  for (const { table, rows: count } of copied) expect([table, count]).toEqual([table, await countOf(store, table)])

  const there = await buildTestApp({}, { database: { open: async () => target }, clock })
  for (const { table, searched } of anyResource) {
    const row = { [searched[0]]: 'Ünïcode \u{1F600} ’ \\', owner_id: ada.id }
    const { data } = (await there.as(ada).get(`/${table}/`)).json<{ data: { id: string }[] }>()
    expect(data).toEqual([expect.objectContaining(row)])
    const { headers } = await there.as(ada).get(`/${table}/${data[0]?.id}`)
    expect(headers['last-modified']).toBe('Thu, 01 Jan 2026 00:00:01 GMT')
  }
  expect((await snapshot(there)).rows).toEqual(before)
  expect((await there.as(root).get('/users/')).json()).toMatchObject({ count: 602 })
  expect((await there.as(ada).get('/users/me')).json()).toMatchObject({ full_name: 'Ada 👩‍🚀 "L"' })
  expect(await there.logIn(ada.email, ada.password)).toBeTypeOf('string')
  expect(await there.deliverMails()).toMatchObject([{ to: root.email }])
})

test('a database with data is refused', async () => {
  const { store } = await buildInstallation()
  const { app, someone } = await buildTestAppWith({ someone: {} })
  await expect(copyAll(store, app.store)).rejects.toThrow(CopyRefused)
  expect(await app.store.db.selectFrom('users').select('id').execute()).toEqual([{ id: someone.id }])
})

test('a copy that differs is rolled back, and the target stays empty', async () => {
  const { store } = await buildInstallation()
  const target = await (await createTestDatabase()).open()
  onTestFinished(() => target.close())
  const forgetful: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.map((row) => ('full_name' in row ? { ...row, full_name: 'Forgotten' } : row)),
    }),
  }
  const transaction: Store['transaction'] = (work, options) =>
    target.transaction((tx) => work(tx.withPlugin(forgetful)), options)
  await expect(copyAll(store, { ...target, transaction })).rejects.toThrow(/^users differs after the copy: 2 rows/)
  expect(await countOf(target, 'users')).toBe(0)
  expect(await countOf(target, 'totals')).toBe(0)
  expect(await countOf(target, 'locks')).toBe(1)
})

test('the command reports what is missing', async () => {
  const dataDir = newFolder()
  const copy = (settings: Record<string, string>) =>
    run((terminal) => copyToPostgres(readConfig({ DATA_DIR: dataDir, ...settings }), terminal))
  const missing = '! Set DATABASE_URL, in the environment or .env, to the PostgreSQL database to copy to'
  expect(await copy({})).toEqual({ code: 2, said: [missing] })
  const { code, said } = await copy({ DATABASE_URL: 'postgres://127.0.0.1:1/nothing-is-there' })
  const nowhere = expect.stringContaining(`! There is no database at ${join(dataDir, 'steward.db')}`) as string
  expect([code, said, readdirSync(dataDir)]).toEqual([1, [nowhere], []])
})

test('the command refuses a database that a server uses', async () => {
  const dataDir = newFolder()
  const server = await openSqlite({ dataDir })
  onTestFinished(() => server.close())
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/nothing-is-there' })
  expect(await run((terminal) => copyToPostgres(config, terminal))).toEqual({
    code: 1,
    said: ['! The database is in use; stop every server and command that uses it. Nothing was copied.'],
  })
})

const KEY = 'a key of thirty-two characters or more'

test.each([
  ['with the same SECRET_KEY', { SECRET_KEY: KEY }, () => KEY, 200],
  ['with the content of secret.key', {}, (dataDir: string) => readFileSync(keyFile({ dataDir }), 'utf8'), 200],
  ['without the key', {}, () => undefined, 503],
])('authenticator apps after a copy, %s', async (_name, settings, keyOf, status) => {
  const dataDir = newFolder()
  const from = await buildTestApp(
    { DATA_DIR: dataDir, ...settings },
    { database: { open: () => openSqlite({ dataDir }) } },
  )
  const ada = await from.newUser()
  const { secret, codes } = await setUpApp(from, ada)
  const target = await (await createTestDatabase()).open()
  await copyAll(from.store, target)
  const key = keyOf(dataDir)
  const there = await buildTestApp(
    { DATABASE_URL: 'postgres://nowhere', ...(key !== undefined && { SECRET_KEY: key }) },
    { database: { open: async () => target }, clock: from.clock },
  )
  there.clock.advance(2 * STEP_MS)
  const { login } = (await askForSecondStep(there, ada)).second_factor
  expect((await finish(there, login, totpCode(secret, there.clock.now()))).statusCode).toBe(status)
  const again = (await askForSecondStep(there, ada)).second_factor
  expect((await finish(there, again.login, codes[0] ?? '')).statusCode).toBe(200)
})
