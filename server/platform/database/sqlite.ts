import { chmodSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { SqliteAdapter, type SqliteDialectConfig, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { createFile } from '../lib/durable-files.ts'
import { isReadOnly } from './errors.ts'
import { createCheckpoints } from './sqlite-checkpoints.ts'
import { BUSY_TIMEOUT_MS } from './shared-connection.ts'
import { PatientSqliteDriver } from './sqlite-driver.ts'
import { requireDatabaseOfLog } from './sqlite-identity.ts'
import { type DatabaseMoved, watchPlace } from './sqlite-place.ts'
import { type CountingDialect, createWaits } from './waits.ts'

/** SQLite can roll back schema changes, so migrations run in one transaction, as on PostgreSQL. */
export class PatientSqliteAdapter extends SqliteAdapter {
  /** Otherwise Kysely blocks the connection while a transaction waits. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Every commit is synced to the write-ahead log before it is acknowledged.
 * @param file a path, `:memory:`, or the bytes of a database
 * @param options.onMoved called when the file is not at its path any more; then the database can only be read
 */
export function sqliteDialect(
  file: string | Buffer,
  { onMoved = () => {} }: { onMoved?: (error: DatabaseMoved) => void } = {},
): CountingDialect {
  const waits = createWaits()
  let database: Database.Database | undefined
  let checkpoints: ReturnType<typeof createCheckpoints> | undefined
  let place: ReturnType<typeof watchPlace> | undefined
  const config: SqliteDialectConfig = {
    async database() {
      const opened = open(file)
      database = opened
      if (isFile(file)) {
        checkpoints = createCheckpoints(opened)
        place = watchPlace(file, (moved) => {
          opened.pragma(`query_only = ${moved ? 'on' : 'off'}`)
          if (moved) onMoved(moved)
        })
      }
      return withStatementCache(opened)
    },
  }
  const observed = {
    waits,
    isInTransaction: () => database?.inTransaction === true,
    onUse: () => void place?.lookIfDue(),
    onIdle(): void {
      // The thread of checkpoints opens the database by its path, where another file may be now.
      if (!place?.lookIfDue()) checkpoints?.makeIfDue()
    },
    explain: (error: unknown): unknown => (isReadOnly(error) ? (place?.look() ?? error) : error),
    beforeClose: () => checkpoints?.stop(),
  }
  return {
    waits,
    requireInPlace(): void {
      const moved = place?.look()
      if (moved) throw moved
    },
    createAdapter: () => new PatientSqliteAdapter(),
    createDriver: () => new PatientSqliteDriver(config, observed),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function isFile(file: string | Buffer): file is string {
  return typeof file === 'string' && file !== ':memory:'
}

function open(file: string | Buffer): Database.Database {
  if (isFile(file)) {
    requireDatabaseOfLog(file)
    createFile(file)
    // SQLite gives new files beside the database the mode of the database.
    for (const existing of [file, `${file}-wal`, `${file}-shm`]) makePrivate(existing)
  }
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('busy_timeout = 0')
  return database
}

/** Makes a file readable only by its owner. Files of other users keep their mode. */
function makePrivate(file: string): void {
  const isOurs = statSync(file, { throwIfNoEntry: false })?.uid === process.getuid?.()
  if (isOurs) chmodSync(file, 0o600)
}

/** Preparing a statement takes about as long as running it, and the server has few different ones. */
function withStatementCache(database: Database.Database) {
  const statements = new Map<string, Database.Statement>()
  return {
    close: () => void database.close(),
    prepare(text: string) {
      const known = statements.get(text)
      if (known) return known
      const statement = database.prepare(text)
      if (statements.size >= 500) statements.clear()
      statements.set(text, statement)
      return statement
    },
  }
}
