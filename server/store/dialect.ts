import { SqliteAdapter } from 'kysely'
import type { Db } from './store.ts'

/** Which of the two databases it is. */
export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
