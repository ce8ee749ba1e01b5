import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { createMigrator } from '../platform/database/migrate.ts'
import { openPostgresReader, postgresDialect } from '../platform/database/postgres.ts'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { openSqliteReader } from '../platform/database/sqlite-reader.ts'
import { openStore, type Store } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'

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

/**
 * A database of an earlier version. Opening it applies the later migrations.
 * @param migration the last one of that version
 * @param fill adds the data of that version
 */
export async function createEarlierDatabase(
  migration: string,
  fill: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<TestDatabase & { url: string | undefined }> {
  const name = postgresUrl === undefined ? await newSqliteFile() : await newPostgres()
  const openDialect = () => (postgresUrl === undefined ? sqliteDialect(name) : dialectFor(name, { patient: true }))
  const db = new Kysely<Tables>({ dialect: openDialect() })
  const { error } = await (await createMigrator(db)).migrateTo(migration)
  if (error !== undefined) throw error
  await fill(db)
  await db.destroy()
  return { open: () => openStore(openDialect()), url: postgresUrl && urlOf(name) }
}

async function createSqliteFile(): Promise<TestDatabase> {
  const file = await newSqliteFile()
  return { open: () => openStore(sqliteDialect(file), { openReader: () => openSqliteReader(file) }) }
}

/** @returns the path of a file that does not exist yet */
async function newSqliteFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'steward.db')
}

let template: Promise<string> | undefined

/** Copies a migrated database, which is faster than migrating each. */
async function createPostgresDatabase(): Promise<TestDatabase> {
  template ??= createTemplate()
  const name = await newPostgres(`template ${await template}`)
  return { open: () => openPostgresStore(name) }
}

/** @returns the name of the new database */
async function newPostgres(options = ''): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} ${options}`)
  onTestFinished(() => administer(`drop database ${name} with (force)`))
  return name
}

async function createTemplate(): Promise<string> {
  const name = `template_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name}`)
  await (await openStore(dialectFor(name))).close()
  return name
}

/** Dropping the database breaks idle connections of the pool. */
const options = { onError: () => {}, connections: 10 }

function dialectFor(name: string, more: { patient?: boolean } = {}) {
  return postgresDialect(urlOf(name), { ...options, ...more })
}

function openPostgresStore(name: string): Promise<Store> {
  return openStore(dialectFor(name), { openReader: (db) => openPostgresReader(urlOf(name), options, db) })
}

function urlOf(name: string): string {
  const url = new URL(postgresUrl ?? '')
  url.pathname = `/${name}`
  return url.href
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
