import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('user_agent', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('address', 'text').execute()

  // One row per user: a new invitation replaces the previous one.
  await db.schema
    .createTable('invitations')
    .addColumn('user_id', 'uuid', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('mail_id', 'uuid', (c) => c.notNull())
    .addColumn('mailed_hash', 'text', (c) => c.unique())
    .addColumn('told_hash', 'text', (c) => c.unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('invitations_age').on('invitations').column('created_at').execute()

  // Without the id, which only orders entries of the same millisecond, the index is half as large.
  for (const [name, ...columns] of [
    ['audit_action', 'action', 'at'],
    ['audit_result', 'result', 'at'],
    ['audit_action_result', 'action', 'result', 'at'],
    ['audit_actor', 'actor_id', 'at'],
    ['audit_actor_action', 'actor_id', 'action', 'at'],
    ['audit_subject', 'subject_id', 'at'],
    ['audit_subject_action', 'subject_id', 'action', 'at'],
  ] as const) {
    await db.schema.createIndex(name).on('audit').columns(columns).execute()
  }
}
