import { type Dialect, Kysely, sql, type Transaction } from 'kysely'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'

/** What a query runs on: the database, or a transaction of it. */
export type Db = Kysely<Tables> | Transaction<Tables>

export interface Store {
  db: Kysely<Tables>
  /** Runs `work` in one transaction: all of it is done, or, when it throws, nothing. It holds a lock, so it does nothing slow. */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** @throws when the database is away, read-only or not migrated */
  ready(): Promise<void>
  close(): Promise<void>
}

/** Opens a database and brings its schema up to date. @throws Error when the schema is of a newer version */
export async function openStore(dialect: Dialect): Promise<Store> {
  const db = new Kysely<Tables>({ dialect })
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    db,
    transaction: (work) => db.transaction().execute(work),
    async ready() {
      // Takes the write lock and lets it go: a database that can only be read is not ready.
      await db.transaction().execute((tx) => sql`select 1 from users limit 1`.execute(tx))
    },
    close: () => db.destroy(),
  }
}
