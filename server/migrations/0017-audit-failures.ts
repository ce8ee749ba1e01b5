import { type Kysely, sql } from 'kysely'

/** The failures in the audit log, of all actions and of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_failed on audit (at, id) where result <> 'done'`.execute(db)
  await sql`create index audit_failed_action on audit (action, at, id) where result <> 'done'`.execute(db)
}
