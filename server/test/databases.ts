import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { type Dialect, PGliteDialect } from 'kysely'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { postgresDialect } from '../store/postgres.ts'
import { sqliteDialect } from '../store/sqlite.ts'
import { sqliteReaderDialect } from '../store/sqlite-reader.ts'
import { openStore, type Store } from '../store/store.ts'

/** An empty database that is gone after the test. */
export interface TestDatabase {
  /** Each call is another server's way to it. */
  open(): Promise<Store>
}

type DatabaseKind = 'sqlite' | 'pglite' | 'postgres'

const setting = process.env['TEST_DATABASE'] ?? 'sqlite'

/** On which database this run of the tests is: `TEST_DATABASE` is `sqlite`, `pglite` or the URL of a PostgreSQL. */
const databaseKind: DatabaseKind = /^postgres(ql)?:/.test(setting)
  ? 'postgres'
  : setting === 'pglite'
    ? 'pglite'
    : 'sqlite'

/** @param options.shared for several servers on it: SQLite then takes a file instead of memory */
export async function createTestDatabase(options: { shared?: boolean } = {}): Promise<TestDatabase> {
  if (databaseKind === 'postgres') return createPostgresDatabase()
  if (databaseKind === 'pglite') return createPgliteDatabase()
  return options.shared ? createSqliteFile() : { open: () => openStore(sqliteDialect(':memory:')) }
}

async function createSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'steward.db')
  return { open: () => openStore(sqliteDialect(file), { reader: sqliteReaderDialect(file) }) }
}

let pglite: Promise<PGlite> | undefined
let inUse = false

/** Starting PGlite takes seconds, so a worker has one. Its tables are dropped for each test. */
async function createPgliteDatabase(): Promise<TestDatabase> {
  if (inUse) throw new Error('A test has one database on PGlite; a second app in it shares the first one’s')
  inUse = true
  onTestFinished(() => {
    inUse = false
  })
  pglite ??= PGlite.create()
  const instance = await pglite
  await instance.exec('drop schema public cascade; create schema public')
  const shared = {
    closed: false,
    ready: true,
    waitReady: Promise.resolve(),
    query: instance.query.bind(instance),
    transaction: instance.transaction.bind(instance),
    close: async () => {},
  }
  return { open: () => openStore(withStreams(new PGliteDialect({ pglite: shared }))) }
}

/** PGlite does not stream: all rows come at once. */
function withStreams(dialect: Dialect): Dialect {
  const createDriver = () => {
    const driver = dialect.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async () => {
      const connection = await acquire()
      connection.streamQuery = async function* streamQuery(query) {
        yield await connection.executeQuery(query)
      }
      return connection
    }
    return driver
  }
  return {
    ...dialect,
    createDriver,
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
}

let template: Promise<string> | undefined

/** A copy of a migrated database: quicker than migrating each. */
async function createPostgresDatabase(): Promise<TestDatabase> {
  template ??= createTemplate()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template ${await template}`)
  onTestFinished(() => administer(`drop database ${name} with (force)`))
  return { open: () => openStore(dialectFor(name)) }
}

async function createTemplate(): Promise<string> {
  const name = `template_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name}`)
  await (await openStore(dialectFor(name))).close()
  return name
}

function dialectFor(name: string) {
  const url = new URL(setting)
  url.pathname = `/${name}`
  // A database that is dropped while the pool still has idle connections breaks them.
  return postgresDialect(url.href, { onError: () => {}, connections: 10 })
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: setting })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
