import type { Kysely } from 'kysely'

/** Servers of the previous version may keep running: they write entries without details. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('details', 'text').execute()
}
