import type { Kysely } from 'kysely'

/** Authenticator apps, recovery codes, and log-ins by password that wait for their second step. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('authenticator_apps')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('user_id', 'uuid', (c) => c.notNull().unique().references('users.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_step', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('authenticator_apps_age').on('authenticator_apps').column('expires_at').execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'digest'])
    .execute()
  await db.schema
    .createTable('open_log_ins')
    .addColumn('digest', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('app_id', 'uuid')
    .addColumn('secret', 'text')
    .addColumn('wrong_codes', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('open_log_ins_of_user').on('open_log_ins').columns(['user_id', 'expires_at']).execute()
  await db.schema.createIndex('open_log_ins_age').on('open_log_ins').column('expires_at').execute()
}
