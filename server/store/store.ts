import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, sql, type Transaction } from 'kysely'
import { isSerializationFault } from './faults.ts'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'
import { isUnavailable } from './unavailable.ts'
import type { CountingDialect, Waits } from './waits.ts'

/** A transaction. Functions that take it must run inside one. */
export type Tx = Transaction<Tables>

export type Db = Kysely<Tables> | Tx

const MAX_ATTEMPTS = 5

export interface Store {
  db: Kysely<Tables>
  /** For long and streamed reads, which do not block `db`. */
  reader: Kysely<Tables>
  /**
   * Runs `work` in a transaction that is rolled back if it throws. As it holds locks, `work` must be fast. As it may be
   * retried, `work` must have no effects except queries on its transaction.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** For connections of `db`. */
  waits: Waits
  /** @returns why the database is not ready, or `undefined` */
  findFault(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Opens a database and applies migrations.
 * @param others.forMigrations connections with longer timeouts, for migrations
 * @param others.reader connections for `Store.reader`; those of `db` by default
 * @throws NewerSchema
 */
export async function openStore(
  dialect: CountingDialect,
  { forMigrations, reader: readerDialect }: { forMigrations?: Dialect; reader?: Dialect } = {},
): Promise<Store> {
  const db = new Kysely<Tables>({ dialect })
  const migrated = forMigrations ? new Kysely<Tables>({ dialect: forMigrations }) : db
  try {
    await migrate(migrated)
  } catch (error) {
    await db.destroy()
    throw error
  } finally {
    if (migrated !== db) await migrated.destroy()
  }
  const reader = readerDialect ? new Kysely<Tables>({ dialect: readerDialect }) : db
  return {
    db,
    reader,
    waits: dialect.waits,
    async transaction(work) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await db.transaction().execute(work)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isSerializationFault(error)) throw error
          await sleep(Math.random() * 10 * 2 ** attempt)
        }
      }
    },
    async findFault() {
      try {
        await sql`select 1 from audit limit 1`.execute(db)
      } catch (error) {
        return isUnavailable(error) ? 'the database does not answer' : 'the database is not migrated'
      }
      try {
        // Takes and releases the write lock.
        await db.transaction().execute(async (tx) => {
          const row = tx.updateTable('locks').set({ taken: 0 }).where('name', '=', 'accounts')
          await row.where('taken', '<', 0).execute()
        })
      } catch {
        return 'the database cannot be written'
      }
      return undefined
    },
    async close() {
      await reader.destroy()
      if (reader !== db) await db.destroy()
    },
  }
}
