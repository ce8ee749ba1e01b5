import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter

  await db.schema.dropTable('list_blocks').execute()
  // Servers of earlier versions still count blocks while they are being replaced. They must find and add none.
  await sql`create view list_blocks as
    select cast(null as text) as list, cast(null as bigint) as until, cast(null as bigint) as size where 1 = 0`.execute(
    db,
  )
  for (const event of ['insert', 'update', 'delete']) {
    await (
      isPostgres
        ? sql`create rule ${sql.id(`list_blocks_${event}`)} as on ${sql.raw(event)} to list_blocks do instead nothing`
        : sql`create trigger ${sql.id(`list_blocks_${event}`)} instead of ${sql.raw(event)} on list_blocks begin select 1; end`
    ).execute(db)
  }

  await db.schema
    .createTable('familiar_blocks')
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('block', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('familiar_blocks_key', ['user_id', 'block'])
    .execute()
  await db.schema.createIndex('familiar_blocks_end').on('familiar_blocks').column('ends_at').execute()

  // Items may outlive their owner for some time: docs/decisions/0018-plain-lists.md.
  await db.schema
    .createTable('deleted_owners')
    .addColumn('owner_id', 'uuid', (c) => c.primaryKey())
    .addColumn('deleted_at', 'bigint', (c) => c.notNull())
    .execute()
  if (isPostgres) {
    await db.schema.alterTable('items').dropConstraint('items_owner_id_fkey').execute()
    await db.schema.dropIndex('items_newest').execute()
  } else {
    // SQLite cannot drop constraints.
    await db.schema.alterTable('items').renameTo('items_before').execute()
    await db.schema
      .createTable('items')
      .addColumn('id', 'uuid', (c) => c.primaryKey())
      .addColumn('owner_id', 'uuid', (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into items (id, owner_id, title, description, created_at)
      select id, owner_id, title, description, created_at from items_before`.execute(db)
    await db.schema.dropTable('items_before').execute()
    await db.schema.createIndex('items_newest_of_owner').on('items').columns(['owner_id', 'created_at', 'id']).execute()
  }
  // Includes the owner, so that a page is found without reading the rows before it.
  await db.schema.createIndex('items_newest').on('items').columns(['created_at', 'id', 'owner_id']).execute()
}
