import { join } from 'node:path'
import type { Config } from '../config.ts'
import { postgresDialect } from './postgres.ts'
import { sqliteDialect } from './sqlite.ts'
import { openStore, type Store } from './store.ts'

/**
 * The database of an installation: PostgreSQL where `DATABASE_URL` names one, else SQLite in the data folder.
 * @param onError told of connections that break
 */
export async function openConfiguredStore(config: Config, onError: (error: Error) => void): Promise<Store> {
  const { databaseUrl } = config
  if (databaseUrl === undefined) return openStore(sqliteDialect(sqliteFile(config)))
  return openStore(postgresDialect(databaseUrl, { onError }), postgresDialect(databaseUrl, { onError, patient: true }))
}

/** Where the SQLite database of an installation lies. */
export function sqliteFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'steward.db')
}
