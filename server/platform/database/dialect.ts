import { type Kysely, type SqlBool, SqliteAdapter, sql } from 'kysely'
import type { Period } from '../lib/clock.ts'

export function isSqlite(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}

export function isWithin(column: string, { after, until }: Period) {
  return sql<SqlBool>`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${until}`
}

export function isBefore(column: string, until: number) {
  return sql<SqlBool>`${sql.ref(column)} <= ${until}`
}
