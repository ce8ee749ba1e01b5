import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runBackupCommand } from '../cli/backup.ts'
import { runRestoreCommand } from '../cli/restore.ts'
import { lockDatabase } from '../platform/database/database-lock.ts'
import { openSqlite, sqliteFile } from '../platform/database/open.ts'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { openStore } from '../platform/database/store.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { newFolder } from '../test/new-folder.ts'
import { runNow } from '../test/run-command.ts'

const inUse = 'The database is in use; stop every server and command that uses it. Nothing was changed.'

/** An installation and its commands, always on SQLite. */
function makeInstallation() {
  const dataDir = newFolder()
  function run(command: typeof runRestoreCommand, ...args: string[]): [number, string] {
    return runNow((terminal) =>
      command(
        args,
        { dataDir, databaseUrl: undefined, files: { folder: join(dataDir, 'files'), bucket: undefined } },
        terminal,
      ),
    )
  }
  return {
    dataDir,
    file: sqliteFile({ dataDir }),
    copy: join(dataDir, 'copy.db'),
    database: { open: () => openSqlite({ dataDir }) },
    backup: (to: string) => run(runBackupCommand, to),
    restore: (...args: string[]) => run(runRestoreCommand, ...args),
    names: () =>
      readdirSync(dataDir)
        .filter((name) => name.startsWith('steward'))
        .toSorted(),
  }
}

/** An installation with a user in its backup and a later one who is not. */
async function makeBackup() {
  const installation = makeInstallation()
  const { database, backup, copy } = installation
  const { app, root } = await buildTestAppWith({ root: { is_superuser: true } }, {}, { database })
  await app.newUser({ full_name: 'before' })
  expect(backup(copy)[0]).toBe(0)
  await app.newUser({ full_name: 'after' })
  async function users(): Promise<string[]> {
    const { as } = await buildTestApp({}, { database })
    const { data } = (await as(root).get('/users/?role=user')).json<{ data: { full_name: string }[] }>()
    return data.map(({ full_name }) => full_name).toSorted()
  }
  return { ...installation, server: app, users }
}

test('restores the backup and keeps the old database', async () => {
  const { file, copy, server, restore, users, names } = await makeBackup()
  await server.app.close()
  const [code, said] = restore(copy)
  const [, aside = ''] = /^The old database is (.*)$/m.exec(said) ?? []
  expect([code, said]).toEqual([0, `${copy} is restored\nThe old database is ${aside}`])
  expect(names()).toHaveLength(3)
  expect(await users()).toEqual(['before'])
  const old = new Database(aside, { readonly: true })
  expect(old.prepare('select full_name from users where not is_superuser order by full_name').pluck().all()).toEqual([
    'after',
    'before',
  ])
  old.close()
  expect(file < aside).toBe(true)
})

test('the kept database includes the log of a killed server', async () => {
  const { dataDir, file, copy, server, restore, users } = await makeBackup()
  const killed = newFolder()
  for (const end of ['', '-wal']) copyFileSync(file + end, join(killed, `steward.db${end}`))
  await server.app.close()
  for (const end of ['', '-wal']) copyFileSync(join(killed, `steward.db${end}`), file + end)
  const [, said] = restore(copy)
  const [, aside = ''] = /^The old database is (.*)$/m.exec(said) ?? []
  expect(existsSync(`${file}-wal`)).toBe(false)
  const old = await openStore(sqliteDialect(aside))
  expect(await old.db.selectFrom('users').select('id').execute()).toHaveLength(3)
  await old.close()
  expect(await users()).toEqual(['before'])
  expect(readdirSync(dataDir).filter((name) => name.includes('.restored'))).toEqual([])
})

test('a damaged database is replaced and kept', async () => {
  const { file, copy, server, restore, users } = await makeBackup()
  await server.app.close()
  writeFileSync(file, 'this is no database'.repeat(1000))
  const [, said] = restore(copy)
  const [, aside = ''] = /^The old database is (.*)$/m.exec(said) ?? []
  expect(readFileSync(aside, 'utf8')).toMatch(/^this is no database/)
  expect(await users()).toEqual(['before'])
})

test('works without an old database, and moves a stray log away', async () => {
  const { copy } = await makeBackup()
  const elsewhere = makeInstallation()
  expect(elsewhere.restore(copy)).toEqual([0, `${copy} is restored`])
  expect(elsewhere.names()).toEqual(['steward.db', 'steward.db-lock'])
  rmSync(elsewhere.file)
  writeFileSync(`${elsewhere.file}-wal`, 'precious')
  const [, said] = elsewhere.restore(copy)
  const [, aside = ''] = /^The old database is (.*)$/m.exec(said) ?? []
  expect(readFileSync(`${aside}-wal`, 'utf8')).toBe('precious')
  expect(elsewhere.names()).toHaveLength(3)
})

test('is refused while a server uses the database', async () => {
  const { copy, restore, server, users } = await makeBackup()
  expect(restore(copy)).toEqual([1, inUse])
  await server.app.close()
  expect(await users()).toEqual(['after', 'before'])
})

test('is refused while a server of a version without the lock runs', async () => {
  const { copy, file, restore, server } = await makeBackup()
  await server.app.close()
  const earlier = await openStore(sqliteDialect(file))
  expect(restore(copy)).toEqual([1, inUse])
  await earlier.close()
  expect(restore(copy)[0]).toBe(0)
})

test('is refused during a backup', async () => {
  const { copy, file, server, restore } = await makeBackup()
  await server.app.close()
  const unlock = lockDatabase(file, 'backup')
  expect(restore(copy)).toEqual([1, inUse])
  unlock()
})

test('rejects a file that is damaged, not a backup, or newer than this version', async () => {
  const { dataDir, copy, restore, server, users, names } = await makeBackup()
  await server.app.close()
  const before = names()
  const bytes = readFileSync(copy)
  const refused = (file: string): string => {
    const [code, said] = restore(join(dataDir, '..', file))
    expect(code).toBe(1)
    return said
  }
  function newFile(content: Buffer | string): string {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), content)
    return join(folder.slice(tmpdir().length), 'file')
  }
  expect(refused('nowhere')).toMatch(/^There is no file .*nowhere\. Nothing was changed\.$/)
  expect(refused(newFile('text, and not a database'.repeat(99)))).toMatch(/is no backup of Steward/)
  expect(refused(newFile(''))).toMatch(/is no backup of Steward/)
  expect(refused(newFile(bytes.subarray(0, bytes.length / 2)))).toMatch(/is damaged/)
  const damaged = Buffer.from(bytes)
  damaged.fill(0xff, 3 * 4096, 5 * 4096)
  expect(refused(newFile(damaged))).toMatch(/is damaged/)

  const newer = await openStore(sqliteDialect(copy))
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '2030-01-01')`.execute(newer.db)
  await newer.close()
  expect(restore(copy)).toEqual([1, `${copy} was made by a newer version of Steward. Nothing was changed.`])
  expect(names()).toEqual(before)
  expect(await users()).toEqual(['after', 'before'])
})

test('shows the command for PostgreSQL, and the usage', () => {
  const files = { folder: 'data/files', bucket: undefined }
  const config = { dataDir: 'data', databaseUrl: 'postgres://steward:secret@db/steward', files }
  const [code, said] = runNow((terminal) => runRestoreCommand(['copy.dump'], config, terminal))
  expect([code, said]).toEqual([1, expect.stringContaining('pg_restore')])
  expect(said).not.toContain('secret')
  for (const args of [[], ['a', 'b'], ['--wrong']])
    expect(makeInstallation().restore(...args)).toEqual([2, expect.stringMatching(/^Usage: npm run restore/)])
})

test.each(anyResource)('a backup has the files of rows, and a restore brings them back', async (sample) => {
  const { dataDir, copy, database, backup, restore } = makeInstallation()
  const { app, ada } = await buildTestAppWith({ ada: {} }, { DATA_DIR: dataDir }, { database, takesFiles: true })
  const row_id = await addRow(ada, sample)
  async function newFile(content: string): Promise<string> {
    const { id } = (await ada.post('/files?name=a', Buffer.from(content))).json<{ id: string }>()
    const row = { resource: sample.table, row_id, expires_at: null }
    await app.store.db.updateTable('files').set(row).where('id', '=', id).execute()
    return id
  }
  const id = await newFile('before')
  expect(backup(copy)).toEqual([0, `Backed up to ${copy} and verified\nThe contents of its files are in ${copy}.files`])
  expect(readdirSync(`${copy}.files`)).toEqual([id])
  await newFile('after')
  await app.app.close()
  rmSync(join(dataDir, 'files', id))
  expect(restore(copy)[1]).not.toContain('missing')
  const restored = await buildTestApp({ DATA_DIR: dataDir }, { database, takesFiles: true })
  expect((await restored.as(ada).get(`/files/${id}`)).body).toBe('before')
  await restored.app.close()

  rmSync(join(dataDir, 'files', id))
  rmSync(`${copy}.files`, { recursive: true })
  // A second restore in the same second needs the same name for the old database.
  for (const name of readdirSync(dataDir)) if (name.includes('.before-')) rmSync(join(dataDir, name))
  const missing = `The content of 1 file is missing in ${copy}.files and ${join(dataDir, 'files')}`
  expect(restore(copy)).toEqual([0, expect.stringContaining(missing)])
  expect(backup(join(dataDir, 'next.db'))).toEqual([0, expect.stringContaining('The content of 1 file is missing in')])
})
