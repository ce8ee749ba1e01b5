import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { Client, Pool } from 'pg'
import { onTestFinished } from 'vitest'
import { migrate } from '../platform/database/migrate.ts'
import { openPostgresReader, postgresDialect } from '../platform/database/postgres.ts'
import { openSqliteReader } from '../platform/database/sqlite-reader.ts'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { type Db, openStore, type Store } from '../platform/database/store.ts'
import { postgresCommits, sqliteCommits } from '../platform/database/watch.ts'
import type { Tables } from '../tables.ts'
import { newFolder } from './new-folder.ts'
import { TcpProxy } from '../../tests/support/tcp-proxy.ts'

export interface TestDatabase {
  /** Each call acts as another server. */
  open(): Promise<Store>
}

/** The PostgreSQL server to test on. Tests use SQLite if it is absent. */
export const postgresUrl = process.env['TEST_DATABASE']

export const endless = (db: Db) =>
  sql`with recursive number(value) as (select 1 union all select value + 1 from number)
    select count(*) from number /* endless */`.execute(db)

/** @param options.shared whether several servers open it, for which SQLite needs a file instead of memory */
export async function createTestDatabase(options: { shared?: boolean } = {}): Promise<TestDatabase> {
  if (postgresUrl !== undefined) return createPostgresDatabase()
  const bytes = await (sqliteTemplate ??= createSqliteTemplate())
  return options.shared ? createSqliteFile(bytes) : { open: () => openStore(sqliteDialect(bytes)) }
}

/** A database of version 0.2.0, which is upgraded when it is opened. @param data statements that fill it */
export async function createEarlierDatabase(data = ''): Promise<TestDatabase & { url: string | undefined }> {
  const kind = postgresUrl === undefined ? 'sqlite' : 'postgres'
  const baseline = join(import.meta.dirname, `../migrations/0001-baseline.${kind}.sql`)
  const statements = `${await readFile(baseline, 'utf8')}
    create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
    create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
    insert into kysely_migration values ('0001-baseline', '2026-11-26T00:00:00.000Z');
    insert into kysely_migration_lock (id) values ('migration_lock');
    ${data}`
  if (postgresUrl === undefined) {
    const file = await newSqlitePath()
    new Database(file).exec(statements).close()
    return { open: () => openStore(sqliteDialect(file)), url: undefined }
  }
  const name = await createPostgres()
  dropAfterTest(name)
  const client = new Client({ connectionString: urlOf(name) })
  await client.connect()
  await client.query(statements)
  await client.end()
  return { open: () => openStore(dialectFor(name, { patient: true })), url: urlOf(name) }
}

export async function createEmptyDatabase(): Promise<TestDatabase> {
  if (postgresUrl === undefined) {
    const file = await newSqlitePath()
    return { open: () => openStore(sqliteDialect(file)) }
  }
  const name = await createPostgres()
  dropAfterTest(name)
  return { open: () => openStore(dialectFor(name), { forMigrations: dialectFor(name, { patient: true }) }) }
}

async function createSqliteFile(bytes: Buffer): Promise<TestDatabase> {
  const file = await newSqlitePath()
  await writeFile(file, bytes)
  const openReader = () => openSqliteReader(file)
  return {
    async open() {
      const store = await openStore(sqliteDialect(file), { openReader, commitsOf: () => sqliteCommits(file) })
      // No test needs the data after a power cut. trials/power.ts tests power cuts.
      await sql`pragma synchronous = off`.execute(store.db)
      return store
    },
  }
}

let sqliteTemplate: Promise<Buffer> | undefined

async function createSqliteTemplate(): Promise<Buffer> {
  const database = new Database(':memory:')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  await migrate(db)
  const bytes = database.serialize()
  await db.destroy()
  return bytes
}

async function newSqlitePath(): Promise<string> {
  const folder = newFolder()
  return join(folder, 'steward.db')
}

let postgresTemplate: Promise<string> | undefined

let nextCopy: Promise<string> | undefined

async function createPostgresDatabase(): Promise<TestDatabase> {
  const name = await (nextCopy ?? copyPostgresTemplate())
  nextCopy = copyPostgresTemplate()
  dropAfterTest(name)
  return { open: () => openPostgresStore(urlOf(name)) }
}

export async function createDatabaseBehindProxy(): Promise<{ database: TestDatabase; proxy: TcpProxy }> {
  const name = await copyPostgresTemplate()
  dropAfterTest(name)
  const url = new URL(urlOf(name))
  const proxy = await TcpProxy.to(Number(url.port))
  onTestFinished(() => proxy.close())
  url.port = String(proxy.port)
  return { database: { open: () => openPostgresStore(url.href) }, proxy }
}

async function copyPostgresTemplate(): Promise<string> {
  postgresTemplate ??= createPostgresTemplate()
  return createPostgres(`template ${await postgresTemplate}`)
}

async function createPostgres(options = ''): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} ${options}`)
  return name
}

function dropAfterTest(name: string): void {
  onTestFinished(() => administer(`drop database ${name} with (force)`))
}

async function createPostgresTemplate(): Promise<string> {
  const name = await createPostgres()
  await (await openStore(dialectFor(name))).close()
  return name
}

/** Ignores errors, because dropping a database breaks idle connections of the pool. */
const options = { onError: () => {}, connections: 10 }

function dialectFor(name: string, more: { patient?: boolean } = {}) {
  return postgresDialect(urlOf(name), { ...options, ...more })
}

function openPostgresStore(url: string): Promise<Store> {
  return openStore(postgresDialect(url, options), {
    openReader: (db) => openPostgresReader(url, options, db),
    commitsOf: (db) => postgresCommits(url, options.onError, db),
  })
}

function urlOf(name: string): string {
  const url = new URL(postgresUrl ?? '')
  url.pathname = `/${name}`
  return url.href
}

/** Shared by all tests of the worker. Idle connections do not keep the process alive. */
const administrator = new Pool({ connectionString: postgresUrl, max: 2, allowExitOnIdle: true })

async function administer(statement: string): Promise<void> {
  await administrator.query(statement)
}
