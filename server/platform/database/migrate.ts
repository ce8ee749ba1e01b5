import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql, type Transaction } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import type { Tables } from '../../tables.ts'
import { isSqlite } from './dialect.ts'
import { isLockTimeout } from './errors.ts'
import { isUnavailable } from './unavailable.ts'

/** How long a migration waits for others: readers of its tables, or another server's migration. */
const PATIENCE_MS = 15 * 60_000
const PAUSE_MS = 1_000

const migrationFolder = join(import.meta.dirname, '../../migrations')

/** A version whose migrations were replaced by a baseline, the first of the present ones. */
export interface EarlierVersion {
  version: string
  /** In the order in which they were applied. */
  migrations: readonly string[]
  /** Changes the tables into those of the baseline. */
  upgrade(db: Kysely<unknown>): Promise<void>
}

const baseline = '0001-baseline'
const { default: earlier } = (await importFile(join(migrationFolder, 'earlier/0.1.0.ts'))) as {
  default: EarlierVersion
}

/** Not by its path, of which `C:` or `#` would be another part of a URL. */
function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href)
}

/** Whether a database with these applied migrations is one of Steward. */
export function isOurs(applied: readonly string[]): boolean {
  return applied.includes(baseline) || isEarlier(applied)
}

function isEarlier(applied: readonly string[]): boolean {
  return applied.includes(earlier.migrations[0] ?? '')
}

/** @throws NewerSchema, OlderSchema when this version cannot use a database with these applied migrations */
export function requireUsable(applied: readonly string[]): void {
  const known = new Set([...readdirSync(migrationFolder).map((file) => parse(file).name), ...earlier.migrations])
  if (applied.some((name) => !known.has(name)))
    throw new NewerSchema(
      'This database was made by a newer version of Steward; run that version, or restore a backup of the older one.',
    )
  if (isEarlier(applied) && !applied.includes(earlier.migrations.at(-1) ?? ''))
    throw new OlderSchema(
      `This database was made by a version of Steward before the last ${earlier.version}; start that once, then this one (docs/upgrading.md).`,
    )
}

export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

export class OlderSchema extends Error {
  override name = 'OlderSchema'
}

/** There are no tables, and they may not be made. */
export class NoDatabase extends Error {
  override name = 'NoDatabase'
}

/** @throws NoDatabase */
export async function requireTables(db: Kysely<Tables>): Promise<void> {
  try {
    await sql`select 1 from kysely_migration limit 1`.execute(db)
  } catch (error) {
    throw isUnavailable(error)
      ? error
      : new NoDatabase('The database is empty: start the server first', { cause: error })
  }
}

/**
 * Applies missing migrations once, under a lock that other servers wait for.
 * @throws NewerSchema, OlderSchema when this version cannot use the database; Error when a migration fails and is rolled
 * back
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const error = await tryToMigrate(db)
  if (error === undefined) return
  // After the attempt, because a newer server may have migrated the database while this one waited for the lock.
  requireUsable(await appliedMigrations(db).catch(() => []))
  throw error
}

async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/** Waits for locks between attempts, in which it has none itself. @returns the error */
async function tryToMigrate(db: Kysely<Tables>): Promise<unknown> {
  const provider = new FileMigrationProvider({
    fs: { readdir },
    path: { join },
    import: importFile,
    migrationFolder,
  })
  const schema = await ownSchema(db)
  // A product has migrations of its own, and later takes others with numbers before them: docs/upgrading.md.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true, ...schema })
  const endsAt = performance.now() + PATIENCE_MS
  for (;;) {
    const error = await migrateOnce(db, migrator)
    if (!isLockTimeout(error) || performance.now() > endsAt) return error
    await sleep(PAUSE_MS)
  }
}

async function migrateOnce(db: Kysely<Tables>, migrator: Migrator): Promise<unknown> {
  try {
    if (isEarlier(await appliedMigrations(db).catch(() => []))) await upgradeEarlier(db)
  } catch (error) {
    return error
  }
  return (await migrator.migrateToLatest()).error
}

/** Of servers that start at once, one upgrades, under the lock of the migrations. */
async function upgradeEarlier(db: Kysely<Tables>): Promise<void> {
  const { adapter } = db.getExecutor()
  const lock = { lockTable: 'kysely_migration_lock', lockRowId: 'migration_lock' }
  await db.connection().execute(async (connection) => {
    await adapter.acquireMigrationLock(connection, lock)
    try {
      await connection.transaction().execute(upgrade)
    } finally {
      await adapter.releaseMigrationLock(connection, lock)
    }
  })
}

async function upgrade(tx: Transaction<Tables>): Promise<void> {
  const applied = await appliedMigrations(tx)
  requireUsable(applied)
  if (!isEarlier(applied)) return
  await earlier.upgrade(tx as unknown as Kysely<unknown>)
  await sql`delete from kysely_migration where name in (${sql.join(earlier.migrations)})`.execute(tx)
  await sql`insert into kysely_migration (name, timestamp) values (${baseline}, ${new Date().toISOString()})`.execute(
    tx,
  )
}

/** Uses the migration table of the current schema, as other PostgreSQL schemas may have one, too. */
async function ownSchema(db: Kysely<Tables>): Promise<{ migrationTableSchema?: string }> {
  if (isSqlite(db)) return {}
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return { migrationTableSchema: rows[0]?.name ?? 'public' }
}
