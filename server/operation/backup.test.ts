import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runBackupCommand } from '../cli/backup.ts'
import { sqliteFile } from '../platform/database/open.ts'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { openStore, type Store } from '../platform/database/store.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { newFolder } from '../test/new-folder.ts'
import { runNow } from '../test/run-command.ts'

/** An installation on SQLite, the only database that the backup command supports. */
function makeInstallation() {
  const dataDir = newFolder()
  const file = sqliteFile({ dataDir })
  const open = (): Promise<Store> => openStore(sqliteDialect(file))
  const target = join(dataDir, 'copy.db')
  function backup(...args: string[]): [number, string] {
    return runNow((terminal) =>
      runBackupCommand(
        args,
        { dataDir, databaseUrl: undefined, files: { folder: join(dataDir, 'files'), bucket: undefined } },
        terminal,
      ),
    )
  }
  return { dataDir, database: { open }, open, target, backup }
}

test('a backup of a running server has all acknowledged changes, and a server starts on it', async () => {
  const { database, target, backup } = makeInstallation()
  const { ada } = await buildTestAppWith({ ada: { email: 'ada@example.com', is_superuser: true } }, {}, { database })
  const add = async (email: string) => ada.post('/users/', { email, password: 'long enough' })
  await add('before@example.com')
  const later = add('during@example.com')
  expect(backup(target)).toEqual([0, `Backed up to ${target} and verified`])
  await later
  expect((await ada.get('/users/?role=user')).json()).toMatchObject({ count: 2 })

  const restored = await buildTestApp({}, { database: { open: () => openStore(sqliteDialect(target)) } })
  const { data } = (await restored.as(ada).get('/users/')).json<{ data: { email: string }[] }>()
  expect(data.map(({ email }) => email)).toContain('before@example.com')
  expect(await restored.logIn(ada.email, ada.password)).toBeTypeOf('string')
})

test('it works without a server, is readable only by its owner, and leaves no other files', async () => {
  const { dataDir, open, target, backup } = makeInstallation()
  await (await open()).close()
  expect(backup(target)[0]).toBe(0)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir).toSorted()).toEqual(['copy.db', 'steward.db'])
})

test('an existing file is overwritten only with --force', async () => {
  const { open, target, backup } = makeInstallation()
  await (await open()).close()
  writeFileSync(target, 'precious')
  expect(backup(target)).toEqual([1, `${target} already exists; --force overwrites it`])
  expect(readFileSync(target, 'utf8')).toBe('precious')
  expect(backup('--force', target)[0]).toBe(0)
  await (await openStore(sqliteDialect(target))).close()
})

test('the database itself is never the target', async () => {
  const { dataDir, open, backup } = makeInstallation()
  await (await open()).close()
  const file = sqliteFile({ dataDir })
  const link = `${dataDir}-link`
  symlinkSync(dataDir, link)
  onTestFinished(() => rmSync(link))
  for (const path of [
    file,
    sqliteFile({ dataDir: link }),
    `${file}-wal`,
    `${file}-shm`,
    `${file}-journal`,
    `${file}-lock`,
  ])
    expect([path, ...backup(path, '--force')]).toEqual([path, 1, 'FILE is part of the database'])
  await (await open()).close()
})

test('a corrupt database gives no backup', async () => {
  const { dataDir, open, target, backup } = makeInstallation()
  const store = await open()
  await store.close()
  const file = sqliteFile({ dataDir })
  const bytes = readFileSync(file)
  bytes.fill(0xff, 4096, 20_000)
  writeFileSync(file, bytes)
  expect(backup(target)).toEqual([1, expect.stringMatching(/malformed|corrupt/i)])
  expect(existsSync(target)).toBe(false)
  expect(readdirSync(dataDir).filter((name) => name.includes('unfinished'))).toEqual([])
})

test('a missing database and a missing target folder are reported', async () => {
  const { dataDir, open, target, backup } = makeInstallation()
  expect(backup(target)).toEqual([1, `There is no database at ${sqliteFile({ dataDir })}`])
  await (await open()).close()
  expect(backup(join(dataDir, 'none', 'copy.db'))).toEqual([1, `There is no folder ${join(dataDir, 'none')}`])
})

test('for PostgreSQL it prints the right command, without the password', () => {
  const files = { folder: 'data/files', bucket: undefined }
  const config = { dataDir: 'data', databaseUrl: 'postgres://steward:secret@db/steward', files }
  const [code, said] = runNow((terminal) => runBackupCommand(['copy.dump'], config, terminal))
  expect([code, said]).toEqual([1, expect.stringContaining('pg_dump --format=custom --file=copy.dump "$DATABASE_URL"')])
  expect(said).not.toContain('secret')
})

test.each([[[]], [['a', 'b']], [['--wrong', 'a']]])('%j prints the usage', (args) => {
  expect(makeInstallation().backup(...args)).toEqual([2, expect.stringMatching(/^Usage: npm run backup/)])
})
