import { type Kysely, sql } from 'kysely'

/** When people were last active or, if never, created. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_seen on users (coalesce(last_active_at, created_at))`.execute(db)
}
