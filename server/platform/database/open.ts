import { join } from 'node:path'
import type { Config } from '../config.ts'
import { lockDatabase } from './database-lock.ts'
import { openPostgresReader, postgresDialect, type PostgresOptions } from './postgres.ts'
import { openSqliteReader } from './sqlite-reader.ts'
import { sqliteDialect } from './sqlite.ts'
import { openStore, type Store } from './store.ts'

/** The path of the database without `DATABASE_URL`. */
export function sqliteFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'steward.db')
}

/**
 * Opens the PostgreSQL of `DATABASE_URL` or, without it, SQLite in the data folder.
 * @param onError called when a connection is lost, or the database file is moved
 */
export async function openConfiguredStore(config: Config, onError: (error: Error) => void): Promise<Store> {
  const { databaseUrl, databaseConnections: connections } = config
  return databaseUrl === undefined ? openSqlite(config, onError) : openPostgres(databaseUrl, { onError, connections })
}

export async function openSqlite(
  config: Pick<Config, 'dataDir'>,
  onMoved: (error: Error) => void = () => {},
): Promise<Store> {
  const file = sqliteFile(config)
  const unlock = lockDatabase(file, 'use')
  try {
    const store = await openStore(sqliteDialect(file, { onMoved }), { openReader: () => openSqliteReader(file) })
    return { ...store, close: () => store.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

export async function openPostgres(url: string, options: PostgresOptions): Promise<Store> {
  return openStore(postgresDialect(url, options), {
    forMigrations: postgresDialect(url, { ...options, connections: 1, patient: true }),
    openReader: (db) => openPostgresReader(url, options, db),
  })
}
