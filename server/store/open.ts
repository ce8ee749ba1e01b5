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
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined) return openStore(sqliteDialect(join(dataDir, 'steward.db')))
  return openStore(postgresDialect(databaseUrl, { onError }), postgresDialect(databaseUrl, { onError, patient: true }))
}
