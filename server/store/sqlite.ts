import { chmodSync, statSync } from 'node:fs'
import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { createFile } from '../lib/durable-files.ts'
import { isBusy } from './faults.ts'
import { countWait, type CountingDialect, createWaits, type Waits } from './waits.ts'

const BUSY_TIMEOUT_MS = 5_000
const MAX_LOG_BYTES = 64 * 1024 * 1024
const BUSY_FIRST_RETRY_MS = 10
const BUSY_LAST_RETRY_MS = 100
/** How long a sequence of queries may run before it yields to the event loop. */
const MAX_CHAIN_MS = 10

/**
 * One connection, used in turns of a statement or a transaction. While another process (a second server, an operator's
 * command) writes, it waits between turns, so that reads can run, and without SQLite's own timeout, which would block
 * the process.
 */
class PatientSqliteDriver extends SqliteDriver {
  private readonly takeTurn: () => Promise<EndTurn>
  private readonly isInTransaction: () => boolean

  constructor(config: SqliteDialectConfig, isInTransaction: () => boolean, waits: Waits) {
    super(config)
    this.isInTransaction = isInTransaction
    const takeTurn = createTurns()
    this.takeTurn = () => countWait(waits, takeTurn)
  }

  override async acquireConnection(): Promise<PatientConnection> {
    return new PatientConnection(await super.acquireConnection(), this.takeTurn)
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    if (connection instanceof PatientConnection) connection.endTurn()
  }

  override async beginTransaction(connection: PatientConnection): Promise<void> {
    await connection.beginTransaction()
  }

  /** After a full or failed disk, SQLite has already rolled back. */
  override async rollbackTransaction(connection: PatientConnection): Promise<void> {
    if (this.isInTransaction()) await super.rollbackTransaction(connection)
  }
}

type EndTurn = () => void

class PatientConnection implements DatabaseConnection {
  private readonly connection: DatabaseConnection
  private readonly takeTurn: () => Promise<EndTurn>
  private turn: EndTurn | undefined

  constructor(connection: DatabaseConnection, takeTurn: () => Promise<EndTurn>) {
    this.connection = connection
    this.takeTurn = takeTurn
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.turn) return this.connection.executeQuery(query)
    return whileBusy(async () => {
      const endTurn = await this.takeTurn()
      try {
        return await this.connection.executeQuery<R>(query)
      } finally {
        endTurn()
      }
    })
  }

  /** Takes the write lock at once, because a transaction that reads first could fail at its first write. */
  async beginTransaction(): Promise<void> {
    await whileBusy(async () => {
      const endTurn = await this.takeTurn()
      try {
        await this.connection.executeQuery(CompiledQuery.raw('begin immediate'))
        this.turn = endTurn
      } catch (error) {
        endTurn()
        throw error
      }
    })
  }

  endTurn(): void {
    this.turn?.()
    this.turn = undefined
  }

  /** Returns all rows at once. `Store.reader` streams. */
  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}

/**
 * @returns a function that waits for the previous turn, and returns a function that ends the own turn. It sometimes
 * yields to the event loop, which a sequence of queries would block, as the driver is synchronous.
 */
function createTurns(): () => Promise<EndTurn> {
  let last: Promise<void> = Promise.resolve()
  let pausedAt = performance.now()
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = promise
    await before
    if (performance.now() - pausedAt > MAX_CHAIN_MS) {
      await nextTurnOfTheLoop()
      pausedAt = performance.now()
    }
    return resolve
  }
}

async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (let wait = BUSY_FIRST_RETRY_MS; ; wait = Math.min(wait * 2, BUSY_LAST_RETRY_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(Math.random() * wait)
    }
  }
}

/** SQLite can roll back schema changes, so migrations run in one transaction, as on PostgreSQL. */
class PatientSqliteAdapter extends SqliteAdapter {
  /** Otherwise Kysely blocks the connection while its holder waits. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * A database file, created with its folder if missing. It has a write-ahead log, and every commit is synced before it
 * is acknowledged.
 * @param file a path, or `:memory:`
 */
export function sqliteDialect(file: string): CountingDialect {
  const waits = createWaits()
  let database: Database.Database | undefined
  const config: SqliteDialectConfig = { database: async () => withStatementCache((database = open(file))) }
  const base = new SqliteDialect(config)
  return {
    waits,
    createAdapter: () => new PatientSqliteAdapter(),
    createDriver: () => new PatientSqliteDriver(config, () => database?.inTransaction === true, waits),
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  }
}

function open(file: string): Database.Database {
  if (file !== ':memory:') {
    createFile(file)
    // SQLite gives new files beside the database the mode of the database.
    for (const existing of [file, `${file}-wal`, `${file}-shm`]) makePrivate(existing)
  }
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  // The log grows while a long read needs an old snapshot, and shrinks afterwards.
  database.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`)
  database.pragma('busy_timeout = 0')
  return database
}

/** Makes a file readable only by its owner. Files of other users keep their mode. */
function makePrivate(file: string): void {
  const isOurs = statSync(file, { throwIfNoEntry: false })?.uid === process.getuid?.()
  if (isOurs) chmodSync(file, 0o600)
}

/** Caches prepared statements, as preparing takes about as long as running, and the server runs few different ones. */
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
