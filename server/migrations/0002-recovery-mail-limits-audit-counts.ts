import { type Kysely, sql } from 'kysely'

/** A total is spread over several rows, so that transactions on PostgreSQL do not all wait for the same row. */
const STRIPES = 16

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row per user: a new token replaces the previous one.
  await db.schema
    .createTable('reset_tokens')
    .addColumn('user_id', 'uuid', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()

  // No reference to users, as the address may have no account, and a mail may outlive its account.
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('outbox_due').on('outbox').column('due_at').execute()

  await db.schema
    .createTable('limits')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addColumn('used', 'integer', (c) => c.notNull())
    .addColumn('pending', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('limits_end').on('limits').column('ends_at').execute()

  // No references, as entries outlive accounts.
  await db.schema
    .createTable('audit')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'uuid')
    .addColumn('subject_id', 'uuid')
    .addColumn('origin', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('audit_newest').on('audit').columns(['at', 'id']).execute()

  await db.schema
    .createTable('locks')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('taken', 'bigint', (c) => c.notNull())
    .execute()
  await sql`insert into locks (name, taken) values ('accounts', 0)`.execute(db)

  await db.schema
    .createTable('totals')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('stripe', 'integer', (c) => c.notNull())
    .addColumn('value', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('totals_key', ['name', 'stripe'])
    .execute()
  for (let stripe = 0; stripe < STRIPES; stripe += 1) {
    await sql`insert into totals (name, stripe, value) values ('users', ${stripe}, 0), ('items', ${stripe}, 0)`.execute(
      db,
    )
  }
  await sql`update totals set value = (select count(*) from users) where name = 'users' and stripe = 0`.execute(db)
  await sql`update totals set value = (select count(*) from items) where name = 'items' and stripe = 0`.execute(db)

  await db.schema
    .createTable('item_counts')
    .addColumn('owner_id', 'uuid', (c) => c.primaryKey().references('users.id'))
    .addColumn('value', 'bigint', (c) => c.notNull())
    .execute()
  await sql`
    insert into item_counts (owner_id, value)
    select users.id, count(items.id) from users left join items on items.owner_id = users.id group by users.id
  `.execute(db)

  await db.schema.createIndex('sessions_age').on('sessions').column('created_at').execute()
}
