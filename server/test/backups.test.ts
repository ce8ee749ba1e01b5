import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite, sqliteFile } from '../store/open.ts'
import { buildTestApp, createClock } from './build-test-app.ts'

const hour = 3_600_000
const nameOf = (at: number): string => `steward-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

/** An installation that makes backups by itself. SQLite on every run of the tests. */
async function buildInstallation(settings: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'steward-backups-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const folder = join(dataDir, 'backups')
  const clock = createClock()
  const database = { open: () => openSqlite({ dataDir }) }
  const env = { DATA_DIR: dataDir, BACKUP_DIR: folder, ...settings }
  const start = () => buildTestApp(env, { database, clock })
  const server = await start()
  const { backups } = server.domain
  if (!backups) throw new Error('It makes no backups')
  const files = (): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  return { ...server, backups, start, files, folder, file: sqliteFile({ dataDir }), clock }
}

test('without BACKUP_DIR there are none', async () => {
  expect((await buildTestApp()).domain.backups).toBeUndefined()
})

test('a backup is made when the newest one is old enough, for its owner alone', async () => {
  const { backups, files, folder, clock } = await buildInstallation()
  expect(await backups.lastGoodAt()).toBeUndefined()
  const first = nameOf(clock.now())
  expect(await backups.makeIfDue()).toBe(join(folder, first))
  expect(statSync(join(folder, first)).mode & 0o777).toBe(0o600)
  expect(await backups.lastGoodAt()).toBe(clock.now())
  clock.advance(23 * hour)
  expect(await backups.makeIfDue()).toBeUndefined()
  clock.advance(hour)
  expect(await backups.makeIfDue()).toBe(join(folder, nameOf(clock.now())))
  expect(files()).toEqual([first, nameOf(clock.now())])
})

test('the newest ones are kept, and other files of the folder are left alone', async () => {
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

test('of several servers on one database exactly one makes it', async () => {
  const { backups, start, files } = await buildInstallation()
  const others = await Promise.all([start(), start()])
  const all = [backups, ...others.flatMap(({ domain }) => domain.backups ?? [])]
  const made = await Promise.all(all.map((one) => one.makeIfDue()))
  expect(made.filter((file) => file !== undefined)).toHaveLength(1)
  expect(files()).toHaveLength(1)
})

test('one that fails is made again an hour later, and what it left is removed', async () => {
  const { backups, files, folder, file, clock } = await buildInstallation()
  mkdirSync(folder)
  writeFileSync(join(folder, `${nameOf(clock.now() - hour)}.1.unfinished`), 'of a server that was killed')
  renameSync(file, `${file}.away`)
  await expect(backups.makeIfDue()).rejects.toThrow(`There is no database at ${file}`)
  expect(await backups.makeIfDue()).toBeUndefined()
  expect(await backups.lastGoodAt()).toBeUndefined()
  renameSync(`${file}.away`, file)
  clock.advance(hour)
  expect(await backups.makeIfDue()).toBe(join(folder, nameOf(clock.now())))
  expect(files()).toEqual([nameOf(clock.now())])
})

test('a clock that was wrong neither stops backups nor has the new one deleted', async () => {
  const { backups, files, folder, clock } = await buildInstallation({ BACKUP_KEEP: '1' })
  await backups.makeIfDue()
  clock.advance(-48 * hour)
  expect(await backups.makeIfDue()).toBe(join(folder, nameOf(clock.now())))
  expect(files()).toEqual([nameOf(clock.now())])
})

test('a server that stops breaks it off, and no half of one looks like a whole', async () => {
  const { backups, files } = await buildInstallation()
  const making = backups.makeIfDue()
  backups.stop()
  await expect(making).rejects.toThrow('It was broken off')
  expect(files().filter((name) => name.endsWith('.db'))).toEqual([])
})

test('a server that listens makes them, and a failure is an error in the log', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { app, log, file, clock } = await buildInstallation()
  log.expectErrors()
  await app.listen({ port: 0, host: '127.0.0.1' })
  vi.advanceTimersByTime(60_000)
  await expect.poll(log.text).toContain('backup made')
  clock.advance(24 * hour)
  renameSync(file, `${file}.away`)
  vi.advanceTimersByTime(60_000)
  await expect.poll(log.text).toContain('the backup failed')
})
