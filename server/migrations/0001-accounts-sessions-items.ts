import { type Kysely, sql } from 'kysely'

// SQLite accepts any type name. These give the right types on PostgreSQL and the right affinities on SQLite.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('email_key', 'text', (c) => c.notNull().unique())
    .addColumn('full_name', 'text')
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('is_active', 'smallint', (c) => c.notNull().check(sql`is_active in (0, 1)`))
    .addColumn('is_superuser', 'smallint', (c) => c.notNull().check(sql`is_superuser in (0, 1)`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('users_newest').on('users').columns(['created_at', 'id']).execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_of_user').on('sessions').column('user_id').execute()

  // Items have no cascade, because the code that deletes a user also deletes and counts the items.
  await db.schema
    .createTable('items')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('owner_id', 'uuid', (c) => c.notNull().references('users.id'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('items_newest').on('items').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('items_newest_of_owner').on('items').columns(['owner_id', 'created_at', 'id']).execute()
}
