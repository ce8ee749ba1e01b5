import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'

/** PostgreSQL counts from an index of an expression alone only if the index includes the columns of the expression. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isSqlite(db)) return
  await sql`drop index users_seen`.execute(db)
  const columns = sql`last_active_at, created_at`
  await sql`create index users_seen on users (coalesce(${columns})) include (${columns})`.execute(db)
}
