import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'

const BUSY_TIMEOUT_MS = 5_000
const BUSY_RETRY_MS = 10

/**
 * A transaction takes the write lock when it begins: one that read first and wrote later could fail in the middle.
 * While another process (a second server, the admin command) writes, we wait without SQLite's own time-out, which would
 * stop the whole process and not only who waits.
 */
class PatientSqliteDriver extends SqliteDriver {
  private patient: DatabaseConnection | undefined

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    this.patient ??= {
      executeQuery: (query) => whileBusy(() => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    }
    return this.patient
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(Math.random() * BUSY_RETRY_MS)
    }
  }
}

/** Also while another process tidies up after one that died: SQLITE_BUSY_RECOVERY. */
function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}

/** SQLite does roll back changes of the schema, so migrations run in one transaction, as on PostgreSQL. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * The database in one file, made with its folder when it is not there.
 * Write-ahead log, and every commit on the disk before it is acknowledged.
 * @param file a path, or `:memory:`
 */
export function sqliteDialect(file: string): Dialect {
  const config: SqliteDialectConfig = { database: async () => withStatementCache(open(file)) }
  const base = new SqliteDialect(config)
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new PatientSqliteDriver(config),
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  }
}

function open(file: string): Database.Database {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // For nobody else, also in a folder that was there before. SQLite gives the files beside it the same mode.
    closeSync(openSync(file, 'a', 0o600))
  }
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('busy_timeout = 0')
  return database
}

/** Preparing a statement costs about as much as running it, and the server runs the same few dozen again and again. */
function withStatementCache(database: Database.Database) {
  const statements = new Map<string, Database.Statement>()
  return {
    close: () => database.close(),
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
