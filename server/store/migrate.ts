import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { isSqlite } from './dialect.ts'
import type { Tables } from './tables.ts'

const migrationFolder = join(import.meta.dirname, 'migrations')

export function knownMigrations(): string[] {
  return readdirSync(migrationFolder)
    .map((file) => parse(file).name)
    .toSorted()
}

export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

/**
 * Applies missing migrations once, under a lock that other servers wait for.
 * @throws NewerSchema when the database has migrations that this version does not know; Error when one fails and is
 * rolled back
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const { error } = await (await createMigrator(db)).migrateToLatest()
  if (error === undefined) return
  if (error instanceof Error && error.message.includes('missing')) {
    throw new NewerSchema(
      'This database was made by a newer version of Steward; run that version, or restore a backup of the older one.',
      { cause: error },
    )
  }
  throw error
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
