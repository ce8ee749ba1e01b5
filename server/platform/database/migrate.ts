import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import type { Tables } from '../../tables.ts'
import { isSqlite } from './dialect.ts'
import { isLockTimeout } from './faults.ts'
import { isUnavailable } from './unavailable.ts'

/** How long a migration waits for others: readers of its tables, or another server's migration. */
const PATIENCE_MS = 15 * 60_000
const PAUSE_MS = 1_000

const migrationFolder = join(import.meta.dirname, '../../migrations')

export function knownMigrations(): string[] {
  return readdirSync(migrationFolder)
    .map((file) => parse(file).name)
    .toSorted()
}

/** Whether one of the applied migrations is of a newer version. */
export function isNewer(applied: readonly string[]): boolean {
  const known = knownMigrations()
  return applied.some((name) => !known.includes(name))
}

export class NewerSchema extends Error {
  override name = 'NewerSchema'
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
 * @throws NewerSchema when the database has migrations that this version does not know; Error when one fails and is
 * rolled back
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const error = await tryToMigrate(db)
  if (error === undefined) return
  // After the attempt, because a newer server may have migrated the database while this one waited for the lock.
  if (isNewer(await appliedMigrations(db))) {
    throw new NewerSchema(
      'This database was made by a newer version of Steward; run that version, or restore a backup of the older one.',
      { cause: error },
    )
  }
  throw error
}

/** @returns none if the table cannot be read: the error of the attempt says why */
async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return rows.map(({ name }) => name)
  } catch {
    return []
  }
}

/** Waits for locks between attempts, in which it has none itself. @returns the error */
async function tryToMigrate(db: Kysely<Tables>): Promise<unknown> {
  const endsAt = performance.now() + PATIENCE_MS
  for (;;) {
    const { error } = await (await createMigrator(db)).migrateToLatest()
    if (!isLockTimeout(error) || performance.now() > endsAt) return error
    await sleep(PAUSE_MS)
  }
}

export async function createMigrator(db: Kysely<Tables>): Promise<Migrator> {
  const provider = new FileMigrationProvider({ fs: { readdir }, path: { join }, migrationFolder })
  // A product has migrations of its own, and later takes others with numbers before them: docs/upgrading.md.
  return new Migrator({ db, provider, allowUnorderedMigrations: true, ...(await ownSchema(db)) })
}

/** Uses the migration table of the current schema, as other PostgreSQL schemas may have one, too. */
async function ownSchema(db: Kysely<Tables>): Promise<{ migrationTableSchema?: string }> {
  if (isSqlite(db)) return {}
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return { migrationTableSchema: rows[0]?.name ?? 'public' }
}
