import type { Kysely } from 'kysely'

/** Passkeys, the handle of each account that has or had one, and open ceremonies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkey_handles')
    .addColumn('user_id', 'uuid', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('handle', 'text', (c) => c.notNull().unique())
    .execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('is_syncable', 'smallint', (c) => c.notNull())
    .addColumn('is_synced', 'smallint', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkeys_of_user').on('passkeys').column('user_id').execute()
  await db.schema
    .createTable('ceremonies')
    .addColumn('digest', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('user_id', 'uuid', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('challenge', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('ceremonies_of_user').on('ceremonies').columns(['user_id', 'expires_at']).execute()
  await db.schema.createIndex('ceremonies_age').on('ceremonies').column('expires_at').execute()
}
