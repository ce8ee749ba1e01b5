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
const BUSY_FIRST_RETRY_MS = 10
const BUSY_LAST_RETRY_MS = 100
/** How long queries may follow each other before timers and sockets get a turn. */
const MAX_CHAIN_MS = 10

/**
 * One connection, used in turns: each lasts as long as a statement, or as a whole transaction. While another process (a
 * second server, the admin command) writes, we wait between turns, so that others can read meanwhile; and without SQLite's
 * own time-out, which would stop the whole process.
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

  /** SQLite has rolled back by itself where the disk was full or failed. */
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

  /** Takes the write lock at once: a transaction that read first and wrote later could fail in the middle. */
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

  /** All rows at once: what is streamed in earnest comes from `Store.reader`. */
  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}

/**
 * @returns a function that waits for whoever came before, and gives one to call when it is the next one's turn. The driver is
 * synchronous: without a pause now and then, a chain of queries keeps everything else of the process waiting.
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

/** SQLite does roll back changes of the schema, so migrations run in one transaction, as on PostgreSQL. */
class PatientSqliteAdapter extends SqliteAdapter {
  /** Kysely would keep the one connection for who waits with it. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * The database in one file, made with its folder when it is not there.
 * Write-ahead log, and every commit on the disk before it is acknowledged.
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
  database.pragma('busy_timeout = 0')
  return database
}

/** For its owner alone. Only the owner of a file can do this, so another user's file keeps its mode. */
function makePrivate(file: string): void {
  const isOurs = statSync(file, { throwIfNoEntry: false })?.uid === process.getuid?.()
  if (isOurs) chmodSync(file, 0o600)
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
