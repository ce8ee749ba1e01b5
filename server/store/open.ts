import { join } from 'node:path'
import type { Config } from '../lib/config.ts'
import { postgresDialect, type PostgresOptions } from './postgres.ts'
import { sqliteDialect } from './sqlite.ts'
import { openStore, type Store } from './store.ts'

/** Where the database lies without `DATABASE_URL`. */
export function sqliteFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'steward.db')
}

/**
 * The database of an installation: PostgreSQL where `DATABASE_URL` names one, else SQLite in the data folder.
 * @param onError told of connections that break
 */
export async function openConfiguredStore(config: Config, onError: (error: Error) => void): Promise<Store> {
  const { databaseUrl, databaseConnections: connections } = config
  return databaseUrl === undefined ? openSqlite(config) : openPostgres(databaseUrl, { onError, connections })
}

export async function openSqlite(config: Pick<Config, 'dataDir'>): Promise<Store> {
  return openStore(sqliteDialect(sqliteFile(config)))
}

export async function openPostgres(url: string, options: PostgresOptions): Promise<Store> {
  return openStore(postgresDialect(url, options), postgresDialect(url, { ...options, connections: 1, patient: true }))
}
