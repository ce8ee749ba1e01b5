import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { backupJob } from './backups.ts'
import { openSqlite, sqliteFile } from '../platform/database/open.ts'
import { createWorker } from '../platform/jobs/worker.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { buildTestApp, createClock } from '../test/build-test-app.ts'
import { newFolder } from '../test/new-folder.ts'

const hour = 3_600_000
const nameOf = (at: number): string => `steward-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

async function buildInstallation(settings: Record<string, string> = {}, more: { takesFiles?: true } = {}) {
  const dataDir = newFolder()
  const folder = join(dataDir, 'backups')
  const clock = createClock()
  const database = { open: () => openSqlite({ dataDir }) }
  const env = { DATA_DIR: dataDir, BACKUP_DIR: folder, ...settings }
  const start = () => buildTestApp(env, { database, clock, ...more })
  const server = await start()
  const { backups } = server
  if (!backups) throw new Error('No backups are configured')
  const files = (): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  return { ...server, backups, start, files, folder, file: sqliteFile({ dataDir }), clock }
}

test('there are no backups without BACKUP_DIR', async () => {
  expect((await buildTestApp()).backups).toBeUndefined()
})

test('a backup is made when the newest is old enough, and only its owner can read it', async () => {
  const { backups, files, folder, clock } = await buildInstallation()
  expect(await backups.lastGoodAt()).toBeUndefined()
  const first = nameOf(clock.now())
  expect(await backups.makeIfDue()).toEqual({ file: join(folder, first) })
  expect(statSync(join(folder, first)).mode & 0o777).toBe(0o600)
  expect(await backups.lastGoodAt()).toBe(clock.now())
  clock.advance(23 * hour)
  expect(await backups.makeIfDue()).toBeUndefined()
  clock.advance(hour)
  expect(await backups.makeIfDue()).toEqual({ file: join(folder, nameOf(clock.now())) })
  expect(files()).toEqual([first, nameOf(clock.now())])
})

test('the newest backups and all other files in the folder are kept', async () => {
  const { backups, files, folder, clock } = await buildInstallation({ BACKUP_KEEP: '2' })
  const made: string[] = []
  for (let day = 0; day < 4; day += 1) {
    made.push(nameOf(clock.now()))
    await backups.makeIfDue()
    clock.advance(24 * hour)
    if (day === 0)
      for (const other of ['steward.db', 'steward-2020.db', 'notes']) writeFileSync(join(folder, other), '')
  }
  expect(files()).toEqual([...made.slice(2), 'notes', 'steward-2020.db', 'steward.db'].toSorted())
})

test('exactly one of several servers on one database makes a backup', async () => {
  const { backups, start, files } = await buildInstallation()
  const others = await Promise.all([start(), start()])
  const all = [backups, ...others.flatMap(({ backups: other }) => other ?? [])]
  const made = await Promise.all(all.map((one) => one.makeIfDue()))
  expect(made.filter((one) => one !== undefined)).toHaveLength(1)
  expect(files()).toHaveLength(1)
})

test('a failed backup is repeated after an hour, and unfinished files are removed', async () => {
  const { backups, files, folder, file, clock } = await buildInstallation()
  mkdirSync(folder)
  writeFileSync(join(folder, `${nameOf(clock.now() - hour)}.1.unfinished`), 'from a killed server')
  renameSync(file, `${file}.away`)
  await expect(backups.makeIfDue()).rejects.toThrow(`${file} was moved, replaced or deleted`)
  expect(await backups.makeIfDue()).toBeUndefined()
  expect(await backups.lastGoodAt()).toBeUndefined()
  renameSync(`${file}.away`, file)
  clock.advance(hour)
  expect(await backups.makeIfDue()).toEqual({ file: join(folder, nameOf(clock.now())) })
  expect(files()).toEqual([nameOf(clock.now())])
})

test('a clock that is set back neither stops backups nor deletes the new one', async () => {
  const { backups, files, folder, clock } = await buildInstallation({ BACKUP_KEEP: '1' })
  await backups.makeIfDue()
  clock.advance(-48 * hour)
  expect(await backups.makeIfDue()).toEqual({ file: join(folder, nameOf(clock.now())) })
  expect(files()).toEqual([nameOf(clock.now())])
})

test('stopping aborts a backup, which leaves no file that looks complete', async () => {
  const { backups, files } = await buildInstallation()
  const stopping = new AbortController()
  const making = backups.makeIfDue(stopping.signal)
  stopping.abort()
  await expect(making).rejects.toThrow('It was aborted')
  expect(files().filter((name) => name.endsWith('.db'))).toEqual([])
})

test('the job makes backups, and logs a failure as an error', async () => {
  const { app, backups, context, log, file, clock } = await buildInstallation()
  log.expectErrors()
  const worker = createWorker(context, [{ ...backupJob(backups, app.log), everyMs: 10 }], app.log)
  onTestFinished(() => worker.stop())
  worker.start()
  await expect.poll(log.text).toContain('backup made')
  clock.advance(24 * hour)
  renameSync(file, `${file}.away`)
  await expect.poll(log.text).toContain('backup failed')
})

test('the log says with each backup that files in a bucket are not in it', async () => {
  const note = 'The contents of its files are in s3://a-bucket/some, which is not backed up'
  async function notes(settings: Record<string, string>): Promise<number> {
    const { app, backups, context, log, clock } = await buildInstallation(settings)
    for (let day = 0; day < 2; day += 1) {
      await backupJob(backups, app.log).run(context, new AbortController().signal)
      clock.advance(24 * hour)
    }
    return log.text().split(note).length - 1
  }
  const keys = { FILES_ACCESS_KEY_ID: 'id', FILES_SECRET_ACCESS_KEY: 'secret' }
  expect(await notes({ FILES_URL: 's3://a-bucket/some', ...keys })).toBe(2)
  expect(await notes({})).toBe(0)
})

test('a backup with less than half of the accounts does not rotate away the last one that has more', async () => {
  const { app, backups, files, folder, clock, context, log, newUser, store } = await buildInstallation({
    BACKUP_KEEP: '2',
  })
  log.expectErrors()
  for (let count = 0; count < 5; count += 1) await newUser()
  const made: string[] = []
  async function makeNext() {
    made.push(nameOf(clock.now()))
    await backupJob(backups, app.log).run(context, new AbortController().signal)
    clock.advance(24 * hour)
  }
  await makeNext()
  await makeNext()
  await sql`pragma foreign_keys = off`.execute(store.db)
  await sql`delete from users where id not in (select id from users limit 2)`.execute(store.db)
  for (let day = 0; day < 4; day += 1) await makeNext()
  expect(files()).toEqual([made[1], made[4], made[5]])
  const kept = join(folder, made[1] ?? '')
  const lost = 'The backup has 2 accounts, less than half of the 5 in'
  expect(log.text().split(lost)).toHaveLength(5)
  expect(log.text()).toContain(`${lost} ${kept}, which is kept until you delete it`)
  expect(backups.failures()).toBe(4)
  rmSync(kept)
  await makeNext()
  expect([files(), backups.failures()]).toEqual([[made[5], made[6]], 4])
})

test.each(anyResource)('backups share the contents of files, and each is whole without the others', async (sample) => {
  const { backups, files, folder, clock, newUser, logIn, as, store, config } = await buildInstallation(
    { BACKUP_KEEP: '2' },
    { takesFiles: true },
  )
  const ada = await newUser()
  const row_id = await addRow(ada, sample)
  async function addFile(): Promise<string> {
    const token = await logIn(ada.email, ada.password)
    const { id } = (await as(token).post('/files?name=a', Buffer.from('text'))).json<{ id: string }>()
    const attached = { resource: sample.table, row_id, expires_at: null }
    await store.db.updateTable('files').set(attached).where('id', '=', id).execute()
    return id
  }
  const made: string[] = []
  const ids: string[] = []
  for (let day = 0; day < 3; day += 1) {
    ids.push(await addFile())
    made.push(nameOf(clock.now()))
    await backups.makeIfDue()
    clock.advance(24 * hour)
  }
  expect(files()).toEqual(made.slice(1).flatMap((name) => [name, `${name}.files`]))
  const [second = '', last = ''] = made.slice(1).map((name) => join(folder, `${name}.files`))
  expect([readdirSync(second).toSorted(), readdirSync(last).toSorted()]).toEqual([ids.slice(0, 2), ids])
  const [first = ''] = ids
  expect(statSync(join(last, first)).ino).toBe(statSync(join(second, first)).ino)

  // An interrupted backup leaves such a folder.
  const stray = join(folder, `${nameOf(clock.now() - hour)}.files`)
  mkdirSync(stray)
  rmSync(join(config.files.folder, ids[2] ?? ''))
  rmSync(last, { recursive: true })
  const incomplete = { warning: expect.stringContaining('The content of 1 file is missing') }
  expect(await backups.makeIfDue()).toMatchObject(incomplete)
  expect(existsSync(stray)).toBe(false)
})
