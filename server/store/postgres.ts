import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type QueryResult, types } from 'pg'
import Cursor from 'pg-cursor'
import { countWait, type CountingDialect, createWaits } from './waits.ts'

const INT8: number = types.builtins.INT8
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** An answer that takes longer than the server's own time-out comes over a dead connection. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000
/** `pg` counts the whole life of a cursor, which waits for its reader: an export ends by itself. Its statements have their time-out. */
const CURSOR_OPTIONS = { query_timeout: 60 * 60_000 }

export interface PostgresOptions {
  /** Told of connections that break; the pool makes new ones. */
  onError: (error: Error) => void
  /** At most, at the same time. */
  connections: number
  /** For migrations and other long work: no time-outs once connected. */
  patient?: boolean
}

/** A PostgreSQL by its URL. TLS and all else that libpq's URLs know are taken from it (`?sslmode=verify-full`). */
export function postgresDialect(url: string, options: PostgresOptions): CountingDialect {
  const waits = createWaits()
  const dialect = new PostgresDialect({
    cursor: Cursor,
    pool: async () => {
      const pool = new Pool({
        connectionString: url,
        max: options.connections,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        idleTimeoutMillis: IDLE_TIMEOUT_MS,
        keepAlive: true,
        application_name: 'steward',
        types: { getTypeParser: typeParser },
        ...(options.patient
          ? {}
          : {
              statement_timeout: STATEMENT_TIMEOUT_MS,
              lock_timeout: LOCK_TIMEOUT_MS,
              idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
              query_timeout: QUERY_TIMEOUT_MS,
            }),
      })
      // A connection that breaks between two queries of a transaction belongs to nobody else who would listen, and an
      // error that nobody listens to ends the process. The pool tells of idle ones a second time.
      pool.on('connect', (client) => client.on('error', options.onError))
      pool.on('error', () => undefined)
      return withoutDeadConnections(pool, waits)
    },
  })
  return Object.assign(dialect, { waits })
}

/** A pool that does not lend a connection again on which a query was left without an answer. */
export function withoutDeadConnections(pool: Pool, waits = createWaits()): PostgresPool {
  return {
    connect: async () => guard(await countWait(waits, () => pool.connect())),
    end: () => pool.end(),
    options: pool.options,
  }
}

/**
 * After a failure that is not the server's own answer, nothing more is asked on a connection, not even to roll back: that
 * would wait as long again, and for nothing. The server ends the transaction when the connection goes.
 */
function guard(client: PoolClient): PostgresPoolClient {
  let failure: unknown
  async function ask(text: string, parameters: readonly unknown[]): Promise<QueryResult> {
    if (failure !== undefined) throw failure
    try {
      return await client.query(text, [...parameters])
    } catch (error) {
      if (!(error instanceof DatabaseError)) failure = error
      throw error
    }
  }
  const query = (text: string | Cursor, parameters: readonly unknown[] = []) =>
    typeof text === 'string' ? ask(text, parameters) : client.query(Object.assign(text, CURSOR_OPTIONS))
  return {
    query: query as PostgresPoolClient['query'],
    release: (discard) => client.release(failure !== undefined || discard),
  }
}

/** All our 64-bit numbers are times and counts, far below 2^53: plain numbers, as SQLite gives them. */
const typeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : types.getTypeParser(oid, format)
