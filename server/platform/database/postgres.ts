import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import { Client, DatabaseError, Pool, type PoolClient, type QueryResult, types } from 'pg'
import Cursor from 'pg-cursor'
import type { Tables } from '../../tables.ts'
import { requireNoTransaction } from './in-transaction.ts'
import type { Reader } from './readers.ts'
import { countWait, type CountingDialect, createWaits } from './waits.ts'

const INT8: number = types.builtins.INT8
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** A migration that waits for a table blocks all other queries of the table, so it gives up and tries again. */
const PATIENT_LOCK_TIMEOUT_MS = 2_000
/** PostgreSQL ends a statement earlier, so a connection without a response after this time is dead. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000
/** Longer than any read of `Store.read`. PostgreSQL then ends the query of an application server that was killed. */
const READER_TIMEOUT_MS = 15 * 60_000

export interface PostgresOptions {
  /** Called when a connection is lost. The pool opens new ones. */
  onError: (error: Error) => void
  connections: number
  /** For migrations and other long work: statements may run long, but not wait long for a lock. */
  patient?: boolean
}

/** The settings of a connection by a URL, which may have libpq's parameters, such as `?sslmode=verify-full`. */
export function settingsFor(url: string) {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'steward',
    types: { getTypeParser: typeParser },
  }
}

export function postgresDialect(url: string, options: PostgresOptions): CountingDialect {
  const waits = createWaits()
  const dialect = new PostgresDialect({
    pool: async () => {
      const pool = new Pool({
        ...settingsFor(url),
        max: options.connections,
        idleTimeoutMillis: IDLE_TIMEOUT_MS,
        ...(options.patient
          ? { lock_timeout: PATIENT_LOCK_TIMEOUT_MS }
          : {
              statement_timeout: STATEMENT_TIMEOUT_MS,
              lock_timeout: LOCK_TIMEOUT_MS,
              idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
              query_timeout: QUERY_TIMEOUT_MS,
            }),
      })
      // A connection that is lost between two queries of a transaction has no other listener, and an unhandled error
      // event ends the process. For idle connections the pool emits the error a second time.
      pool.on('connect', (client) => client.on('error', options.onError))
      pool.on('error', () => undefined)
      return withoutDeadConnections(pool, waits)
    },
  })
  return Object.assign(dialect, { waits })
}

/** @param db used to cancel a query of the reader */
export async function openPostgresReader(
  url: string,
  { onError }: Pick<PostgresOptions, 'onError'>,
  db: Kysely<Tables>,
): Promise<Reader> {
  const client = new Client({ ...settingsFor(url), statement_timeout: READER_TIMEOUT_MS })
  let isUsable = true
  // A cursor waits forever for its next rows on a lost connection.
  const lost = new AbortController()
  client.on('error', onError)
  client.on('end', () => {
    isUsable = false
    lost.abort(new Error('Connection terminated'))
  })
  await client.connect()
  const { processID: process } = client as Client & { processID: number }
  const only = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient
  const pool: PostgresPool = { connect: async () => only, end: async () => {}, options: {} }
  return {
    db: new Kysely({ dialect: new PostgresDialect({ pool, cursor: Cursor }) }),
    isUsable: () => isUsable,
    lost: lost.signal,
    async end() {
      if (!isUsable) return
      isUsable = false
      // PostgreSQL would continue the query after its connection is closed.
      sql`select pg_cancel_backend(${process})`.execute(db).catch(onError)
      await client.end()
    },
  }
}

/** A pool that drops a connection after a query without a response. */
export function withoutDeadConnections(pool: Pool, waits = createWaits()): PostgresPool {
  return {
    async connect() {
      requireNoTransaction(waits)
      return guard(await countWait(waits, () => pool.connect()))
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/**
 * After a failure without a response of PostgreSQL, a connection runs no more queries: even a rollback would wait for
 * another timeout. PostgreSQL ends the transaction when the connection closes.
 */
function guard(client: PoolClient): PostgresPoolClient {
  let failure: unknown
  async function ask(text: string, parameters: readonly unknown[] = []): Promise<QueryResult> {
    if (failure !== undefined) throw failure
    try {
      return await client.query(text, [...parameters])
    } catch (error) {
      if (!(error instanceof DatabaseError)) failure = error
      throw error
    }
  }
  return {
    query: ask as unknown as PostgresPoolClient['query'],
    release: (discard) => client.release(failure !== undefined || discard),
  }
}

/** Reads 64-bit integers as numbers, as on SQLite. All of them are times and counts, far below 2^53. */
const typeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : types.getTypeParser(oid, format)
