import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'
import { isSqlite } from './dialect.ts'
import { isSerializationFailure } from './errors.ts'
import { inTransaction } from './in-transaction.ts'
import { migrate, requireTables } from './migrate.ts'
import { createReaders, type Reader, type ReadOptions } from './readers.ts'
import { DatabaseMoved } from './sqlite-place.ts'
import { isUnavailable } from './unavailable.ts'
import type { CountingDialect, Waits } from './waits.ts'
import { type Commits, createWatch } from './watch.ts'

/** A transaction. Functions that take it must run inside one. */
export type Tx = Transaction<Tables>

export type Db = Kysely<Tables> | Tx

const MAX_ATTEMPTS = 5
const CLOCK_MS = 60_000
/** Smaller differences of the clocks count as none, because the comparison itself takes time. */
const MIN_OFFSET_MS = 1_000

export interface Store {
  db: Kysely<Tables>
  /**
   * Runs long or streamed reads on a connection of their own, where they do not delay others. They have a time limit.
   * @throws ReadTimeout when they took too long, the signal was aborted, or `endReads` was called
   */
  read<T>(work: (db: Db) => Promise<T>, options?: ReadOptions): Promise<T>
  /** Ends all reads on connections of their own, and refuses new ones. */
  endReads(): Promise<void>
  /**
   * Runs `work` in a transaction, and rolls it back if `work` throws. `work` must be fast, because it holds locks. It
   * may run again, so it must have no effects except queries on its transaction. Queries on `db` inside of it throw.
   * @param options.isLong for a command that may take more than 30 seconds, after which other transactions time out
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: { isLong?: boolean }): Promise<T>
  /**
   * Calls `onCommit` within a second after commits of any process, and sometimes without a commit.
   * @returns a function that stops the calls
   */
  watch(onCommit: () => void): () => void
  waits: Waits
  /** How far the database's clock is ahead of this process, in milliseconds. Leases of jobs and mails use its clock. */
  clockOffset(): Promise<number>
  /** @throws DatabaseMoved if the file of an SQLite database is not at its path any more */
  requireInPlace(): void
  /** @returns why the database is not ready, or `undefined` */
  findError(): Promise<string | undefined>
  close(): Promise<void>
}

interface StoreOptions {
  create?: boolean
  /** Connections with longer timeouts, for migrations. */
  forMigrations?: Dialect
  /** Opens a connection for `Store.read`, which uses `db` by default. */
  openReader?: (db: Kysely<Tables>) => Promise<Reader>
  /** How the store notices commits of other processes. Without it, the store looks every second. */
  commitsOf?: (db: Kysely<Tables>) => Commits
}

/** @throws NewerSchema, NoDatabase */
export async function openStore(
  dialect: CountingDialect,
  { create = true, forMigrations, openReader, commitsOf }: StoreOptions = {},
): Promise<Store> {
  const db = new Kysely<Tables>({ dialect })
  const migrated = forMigrations ? new Kysely<Tables>({ dialect: forMigrations }) : db
  try {
    if (!create) await requireTables(db)
    await migrate(migrated)
  } catch (error) {
    await db.destroy()
    throw error
  } finally {
    if (migrated !== db) await migrated.destroy()
  }
  const readers = openReader && createReaders(() => openReader(db))
  const commits = createWatch(commitsOf?.(db))
  let clock: { readAt: number; offset: number } | undefined
  // A reader opens the file at the path of the database, which may have been replaced.
  const requireInPlace = (): void => dialect.requireInPlace?.()
  const read: Store['read'] = async (work, options) => {
    requireInPlace()
    return readers ? readers.read(work, options) : work(db)
  }
  return {
    db,
    read,
    requireInPlace,
    endReads: async () => readers?.close(),
    waits: dialect.waits,
    watch: (onCommit) => commits.watch(onCommit),
    async transaction(work, { isLong } = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const result = await db.transaction().execute((tx) => inTransaction(dialect.waits, () => work(tx), isLong))
          commits.committed()
          return result
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isSerializationFailure(error)) throw error
          await sleep(Math.random() * 10 * 2 ** attempt)
        }
      }
    },
    async clockOffset() {
      if (isSqlite(db)) return 0
      if (!clock || performance.now() - clock.readAt > CLOCK_MS) {
        const { rows } = await sql<{ now: number }>`
          select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(db)
        const offset = (rows[0]?.now ?? Date.now()) - Date.now()
        clock = { readAt: performance.now(), offset: Math.abs(offset) < MIN_OFFSET_MS ? 0 : offset }
      }
      return clock.offset
    },
    async findError() {
      try {
        // A reader does not wait for the connection that all requests share.
        return await read(async (reader) => {
          await sql`select 1 from audit limit 1`.execute(reader)
          return tryToWrite(isSqlite(db) ? db : reader)
        })
      } catch (error) {
        if (error instanceof DatabaseMoved) return 'the database file was moved, replaced or deleted'
        return isUnavailable(error) ? 'the database does not answer' : 'the database is not migrated'
      }
    },
    async close() {
      await readers?.close()
      await db.destroy()
    },
  }
}

/** Makes transactions run one at a time. Updating a row locks on SQLite and PostgreSQL alike. */
export async function takeAccountsLock(tx: Tx): Promise<void> {
  await tx
    .updateTable('locks')
    .set((e) => ({ taken: e('taken', '+', 1) }))
    .where('name', '=', 'accounts')
    .execute()
}

/** Takes and releases the write lock. @returns a message if that fails */
async function tryToWrite(db: Db): Promise<string | undefined> {
  try {
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('locks').set({ taken: 0 }).where('name', '=', 'accounts').where('taken', '<', 0).execute()
    })
    return undefined
  } catch {
    return 'the database cannot be written'
  }
}
