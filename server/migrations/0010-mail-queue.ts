import type { Kysely } from 'kysely'

/** Finds the oldest due mail of a kind without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('outbox_due_of_kind').on('outbox').columns(['kind', 'due_at', 'id']).execute()
}
