import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { lockDatabase } from './database-lock.ts'
import { NoDatabase } from './migrate.ts'
import { openPostgresReader, postgresDialect, type PostgresOptions } from './postgres.ts'
import { openSqliteReader } from './sqlite-reader.ts'
import { sqliteDialect } from './sqlite.ts'
import { openStore, type Store } from './store.ts'
import { postgresCommits, sqliteCommits } from './watch.ts'

export function sqliteFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'steward.db')
}

/** @param onError called when a connection is lost, or the database file is moved @throws NoDatabase */
export async function openConfiguredStore(
  config: Config,
  onError: (error: Error) => void,
  { create = true }: { create?: boolean } = {},
): Promise<Store> {
  const { databaseUrl, databaseConnections: connections } = config
  return databaseUrl === undefined
    ? openSqlite(config, onError, { create })
    : openPostgres(databaseUrl, { onError, connections, create })
}

/** @param options.alone whether no other process may use the database meanwhile */
export async function openSqlite(
  config: Pick<Config, 'dataDir'>,
  onMoved: (error: Error) => void = () => {},
  { create = true, alone = false }: { create?: boolean; alone?: boolean } = {},
): Promise<Store> {
  const file = sqliteFile(config)
  if (!create && !existsSync(file))
    throw new NoDatabase(`There is no database at ${file}: start the server, or set DATA_DIR`)
  const unlock = lockDatabase(file, alone ? 'use-alone' : 'use')
  try {
    const store = await openStore(sqliteDialect(file, { onMoved }), {
      create,
      openReader: () => openSqliteReader(file),
      commitsOf: () => sqliteCommits(file),
    })
    return { ...store, close: () => store.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

export async function openPostgres(
  url: string,
  { create = true, ...options }: PostgresOptions & { create?: boolean },
): Promise<Store> {
  return openStore(postgresDialect(url, options), {
    create,
    forMigrations: postgresDialect(url, { ...options, connections: 1, patient: true }),
    openReader: (db) => openPostgresReader(url, options, db),
    commitsOf: (db) => postgresCommits(url, options.onError, db),
  })
}
