import { SqliteAdapter } from 'kysely'
import type { Db } from './store.ts'

export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
