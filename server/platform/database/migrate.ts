import { readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from '../../tables.ts'
import { isSqlite } from './dialect.ts'
import { isLockTimeout } from './errors.ts'
import { run } from './schema.ts'
import { isUnavailable } from './unavailable.ts'

/** How long a migration waits for readers of its tables and for migrations of other servers. */
const PATIENCE_MS = 15 * 60_000
const PAUSE_MS = 1_000

const migrationFolder = join(import.meta.dirname, '../../migrations')

const baseline = '0001-baseline'
/** The first migration of version 0.1.0. */
const former = '0001-accounts-sessions-items'

export function isStewardDatabase(applied: readonly string[]): boolean {
  return applied.includes(baseline) || applied.includes(former)
}

/** @throws NewerSchema, OlderSchema when this version cannot use a database with these applied migrations */
export function requireUsable(applied: readonly string[]): void {
  if (applied.includes(former))
    throw new OlderSchema(
      'This database was made by a version of Steward before 0.2.0; start 0.2.0 once, then this one (docs/upgrading.md).',
    )
  const known = knownMigrations()
  if (applied.some((name) => !known.has(name)))
    throw new NewerSchema(
      'This database was made by a newer version of Steward; run that version, or restore a backup of the older one.',
    )
}

export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

export class OlderSchema extends Error {
  override name = 'OlderSchema'
}

export class NoDatabase extends Error {
  override name = 'NoDatabase'
}

/** @throws NoDatabase */
export async function requireTables(db: Kysely<Tables>): Promise<void> {
  try {
    await sql`select 1 from kysely_migration limit 1`.execute(db)
  } catch (error) {
    if (isUnavailable(error)) throw error
    throw new NoDatabase('The database is empty: start the server first', { cause: error })
  }
}

/**
 * Applies missing migrations once, under a lock that other servers wait for.
 * @throws NewerSchema, OlderSchema when this version cannot use the database; Error when a migration was rolled back
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const schema = await ownSchema(db)
  // Most starts find nothing to apply, so this looks before it takes the lock.
  const [known, applied] = [knownMigrations(), await appliedMigrations(db, schema).catch(() => [])]
  if (applied.length === known.size && applied.every((name) => known.has(name))) return
  const error = await tryToMigrate(db, schema)
  if (error === undefined) return
  // A newer server may have migrated the database while this one waited for the lock.
  requireUsable(await appliedMigrations(db, schema).catch(() => []))
  throw error
}

const knownMigrations = (): Set<string> => new Set(readdirSync(migrationFolder).map(nameOf))

async function appliedMigrations(db: Kysely<Tables>, schema: string | undefined): Promise<string[]> {
  const table = schema === undefined ? sql.table('kysely_migration') : sql.table(`${schema}.kysely_migration`)
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Tries again while others lock the tables. Holds no lock between attempts. @returns the last error, or `undefined` */
async function tryToMigrate(db: Kysely<Tables>, schema: string | undefined): Promise<unknown> {
  const provider = { getMigrations: () => readMigrations(isSqlite(db) ? 'sqlite' : 'postgres') }
  const inSchema = schema !== undefined && { migrationTableSchema: schema }
  // An application made from Steward adds migrations, and later gets Steward's with lower numbers: docs/upgrading.md.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true, ...inSchema })
  const endsAt = performance.now() + PATIENCE_MS
  for (;;) {
    const { error } = await migrator.migrateToLatest()
    if (!isLockTimeout(error) || performance.now() > endsAt) return error
    await sleep(PAUSE_MS)
  }
}

/** A migration is `NAME.sql` for both databases, `NAME.sqlite.sql` for one, or `NAME.ts` with a function `up`. */
async function readMigrations(kind: 'sqlite' | 'postgres'): Promise<Record<string, Migration>> {
  const files = (await readdir(migrationFolder)).filter(
    (file) => !file.endsWith('.sql') || file.endsWith(`.${kind}.sql`) || !/\..*\./.test(file),
  )
  const read = async (file: string) => [nameOf(file), await readMigration(join(migrationFolder, file))] as const
  return Object.fromEntries(await Promise.all(files.map(read)))
}

const nameOf = (file: string): string => file.slice(0, file.indexOf('.'))

async function readMigration(file: string): Promise<Migration> {
  // A path with `C:` or `#` is no valid URL.
  if (file.endsWith('.ts')) return (await import(pathToFileURL(file).href)) as Migration
  // A blank line separates statements.
  const statements = (await readFile(file, 'utf8')).split(/\r?\n\r?\n/)
  return { up: (db) => run(db as Kysely<unknown>, ...statements) }
}

/** Other schemas of PostgreSQL may have a migration table, too. */
async function ownSchema(db: Kysely<Tables>): Promise<string | undefined> {
  if (isSqlite(db)) return undefined
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? 'public'
}
