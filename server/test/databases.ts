import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { postgresDialect } from '../store/postgres.ts'
import { sqliteDialect } from '../store/sqlite.ts'
import { sqliteReaderDialect } from '../store/sqlite-reader.ts'
import { openStore, type Store } from '../store/store.ts'

export interface TestDatabase {
  /** Each call acts as another server. */
  open(): Promise<Store>
}

/** The PostgreSQL to test on; SQLite if absent. */
const postgresUrl = process.env['TEST_DATABASE']

/** @param options.shared for several servers: SQLite then uses a file instead of memory */
export async function createTestDatabase(options: { shared?: boolean } = {}): Promise<TestDatabase> {
  if (postgresUrl !== undefined) return createPostgresDatabase()
  return options.shared ? createSqliteFile() : { open: () => openStore(sqliteDialect(':memory:')) }
}

async function createSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'steward.db')
  return { open: () => openStore(sqliteDialect(file), { reader: sqliteReaderDialect(file) }) }
}

let template: Promise<string> | undefined

/** Copies a migrated database, which is faster than migrating each. */
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
  const url = new URL(postgresUrl ?? '')
  url.pathname = `/${name}`
  // Dropping the database breaks idle connections of the pool.
  return postgresDialect(url.href, { onError: () => {}, connections: 10 })
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
