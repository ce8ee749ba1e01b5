import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, sql, type Transaction } from 'kysely'
import { isSerializationFault } from './faults.ts'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'
import { isUnavailable } from './unavailable.ts'
import type { CountingDialect, Waits } from './waits.ts'

/** Changes that belong together run in one of these; what takes it as an argument must not run outside. */
export type Tx = Transaction<Tables>

/** What a query runs on: the database, or a transaction of it. */
export type Db = Kysely<Tables> | Tx

const MAX_ATTEMPTS = 5

export interface Store {
  db: Kysely<Tables>
  /** For what may take long, or is streamed: it does not hold up `db`. It only reads. */
  reader: Kysely<Tables>
  /**
   * Runs `work` in one transaction: all of it is done, or, when it throws, nothing. It holds locks, so it does nothing
   * slow; and it may run again when the database asks for that, so it does nothing but queries on its transaction.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** For connections of `db`. */
  waits: Waits
  /** @returns why the database is not ready, or `undefined` */
  findFault(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Opens a database and brings its schema up to date.
 * @param others.forMigrations where a migration needs other connections than a request does: longer time-outs
 * @param others.reader connections for `Store.reader`, where it has its own
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
