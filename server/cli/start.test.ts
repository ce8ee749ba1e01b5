import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { explainFailure } from './explain-failure.ts'
import { ConfigError, readConfig } from '../platform/config.ts'
import { NewerSchema } from '../platform/database/migrate.ts'
import { openSqlite } from '../platform/database/open.ts'
import { postgresDialect } from '../platform/database/postgres.ts'
import { openStore } from '../platform/database/store.ts'
import { prepareFolders } from '../platform/folders.ts'
import { listen } from '../platform/http/listen.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { createTestDatabase } from '../test/databases.ts'
import { newFolder } from '../test/new-folder.ts'

/** Listens on a port until the end of the test. @returns the port */
async function occupyPort(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  return (other.address() as { port: number }).port
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('It should have failed')
    },
    (error: unknown) => error,
  )
}

test('a database of a newer version is refused with one sentence', async () => {
  const database = await createTestDatabase({ shared: true })
  const store = await database.open()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '2030-01-01')`.execute(store.db)
  const failure = await failureOf(database.open())
  await store.close()
  expect(failure).toBeInstanceOf(NewerSchema)
  expect(explainFailure(failure)).toMatch(/^This database was made by a newer version of Steward; [^\n]+\.$/)
})

test('a port in use is reported', async () => {
  const port = await occupyPort()
  const { app } = await buildTestApp()
  const failure = await failureOf(listen(app, { host: '127.0.0.1', port }))
  expect(explainFailure(failure)).toBe(
    `Port ${port} on 127.0.0.1 is in use. If Steward is not running there, set PORT to another port.`,
  )
})

test('a server that cannot start exits with code 1, without a stack trace', async () => {
  const dataDir = newFolder()
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(await occupyPort()) }
  const serve = () => {
    const { stderr, status } = spawnSync(process.execPath, ['server/cli/main.ts', 'serve'], { env, encoding: 'utf8' })
    return [status, stderr]
  }
  expect(serve()).toEqual([1, expect.stringMatching(/^Port \d+ on 127.0.0.1 is in use[^\n]+\n$/)])
  const store = await openSqlite({ dataDir })
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '2030-01-01')`.execute(store.db)
  await store.close()
  expect(serve()).toEqual([1, expect.stringMatching(/^This database was made by a newer version[^\n]+\n$/)])
})

test('a folder whose path is no part of a URL makes no difference', async () => {
  const root = join(newFolder(), 'C: #1 100%?')
  for (const name of ['server', 'openapi.json', 'package.json'])
    cpSync(name, join(root, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  const PORT = String(await occupyPort())
  const env = { PATH: process.env.PATH, DATA_DIR: join(root, 'data'), HOST: '127.0.0.1', PORT }
  const options = { cwd: root, env, encoding: 'utf8' } as const
  const { stderr } = spawnSync(process.execPath, ['server/cli/main.ts', 'serve'], options)
  expect(stderr).toMatch(/^Port \d+ on 127.0.0.1 is in use/)
})

test.each(['192.0.2.1', 'nowhere.invalid'])('the address %s that is not of this machine is reported', async (host) => {
  const { app } = await buildTestApp()
  const failure = await failureOf(listen(app, { host, port: 0 }))
  expect(explainFailure(failure)).toBe(
    `HOST: ${host} is no address of this machine, such as 127.0.0.1 or, for all of them, 0.0.0.0`,
  )
  const withMetrics = await buildTestApp({ METRICS_PORT: '0', METRICS_HOST: host })
  expect(explainFailure(await failureOf(listen(withMetrics.app, { host: '127.0.0.1', port: 0 })))).toBe(
    `METRICS_HOST: ${host} is no address of this machine, such as 127.0.0.1 or, for all of them, 0.0.0.0`,
  )
})

test('folders that cannot be used are reported together', () => {
  const folder = newFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const prepare = (env: Record<string, string>) => () => prepareFolders(readConfig(env))
  const [dataDir, backups] = [join(folder, 'new/data'), join(folder, 'backups')]

  expect(prepare({ DATA_DIR: file, BACKUP_DIR: join(file, 'backups') })).toThrow(
    `Invalid settings:
  DATA_DIR: ${file} is, or is in, a file
  BACKUP_DIR: ${file}/backups is, or is in, a file`,
  )
  // Nobody can create files in this folder.
  expect(prepare({ DATA_DIR: '/dev/fd' })).toThrow(/^ {2}DATA_DIR: the folder \/dev\/fd cannot be written: E\w+$/m)
  expect(prepare({ DATA_DIR: dataDir, BACKUP_DIR: backups })).not.toThrow()
  expect(readdirSync(dataDir)).toEqual([])
  symlinkSync(dataDir, join(folder, 'link'))
  for (const same of [dataDir, join(folder, 'link')])
    expect(prepare({ DATA_DIR: dataDir, BACKUP_DIR: same })).toThrow(
      '  BACKUP_DIR: must be another folder than DATA_DIR',
    )
})

test('SQLite on a network file system is refused', () => {
  const folder = newFolder()
  const prepare =
    (type: number, env: object = {}) =>
    () =>
      prepareFolders(readConfig({ DATA_DIR: folder, ...env }), () => type)
  expect(prepare(0x6969)).toThrow(
    `  DATA_DIR: ${folder} is on NFS, where SQLite loses data: use a local disk, or PostgreSQL`,
  )
  expect(prepare(0xff534d42)).toThrow('is on SMB')
  expect(prepare(0xef53)).not.toThrow()
  expect(prepare(0x6969, { DATABASE_URL: 'postgres://steward@localhost/steward' })).not.toThrow()
})

test('misspelt settings are reported before a command runs, without values', () => {
  const env = { PATH: process.env.PATH, STMP_URL: 'smtp://zq7', DATA_DIR: '/dev/null/data', LOG_LEVEL: 'silent' }
  const { stderr, status } = spawnSync(process.execPath, ['server/cli/main.ts', 'serve'], { env, encoding: 'utf8' })
  expect(stderr).toBe(`Warning: STMP_URL is no setting. Did you mean SMTP_URL?
Invalid settings:
  DATA_DIR: /dev/null/data is, or is in, a file
`)
  expect(status).toBe(1)
})

test('a command says that its data folder cannot be created', () => {
  const env = { PATH: process.env.PATH, DATA_DIR: '/dev/null/data' }
  const { stderr } = spawnSync(process.execPath, ['scripts/seed/main.ts'], { env, encoding: 'utf8' })
  expect(stderr).toBe('The folder /dev/null/data cannot be created: ENOTDIR\n')
})

test('an unreachable database is reported without its URL', async () => {
  const url = 'postgres://steward:secret@127.0.0.1:1/steward'
  const failure = await failureOf(openStore(postgresDialect(url, { onError: () => undefined, connections: 1 })))
  expect(explainFailure(failure)).toMatch(/^The database cannot be used: ECONNREFUSED [^\n]*$/)
  expect(explainFailure(failure)).not.toContain('secret')
})

test('a missing certificate file of DATABASE_URL is reported', async () => {
  const url = 'postgres://steward:secret@127.0.0.1:1/steward?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
  const failure = await failureOf(openStore(postgresDialect(url, { onError: () => undefined, connections: 1 })))
  expect(explainFailure(failure)).toBe('The file /nowhere/ca.pem cannot be opened: ENOENT')
})

test('invalid settings are printed without a stack, unexpected errors with one', () => {
  expect(explainFailure(new ConfigError('Invalid settings'))).toBe('Invalid settings')
  expect(explainFailure(new TypeError('x is not a function'))).toContain('start.test.ts')
})
