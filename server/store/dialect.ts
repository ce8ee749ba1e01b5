import { type Kysely, SqliteAdapter } from 'kysely'

export function isSqlite(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
