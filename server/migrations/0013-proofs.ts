import { type Kysely, sql } from 'kysely'

/**
 * When and how the person of a session proved itself. Both are null in sessions of earlier versions, whose servers may
 * run beside this one during an update: these count as proved at their creation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table sessions add column proved_at bigint').execute(db)
  await sql.raw('alter table sessions add column proved_by text').execute(db)
}
