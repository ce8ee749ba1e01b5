import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { addSearchIndex } from '../platform/database/search-index.ts'

/** Search forms of existing rows are created later, in batches: server/platform/database/search-forms.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter

  // Texts are sorted by code points on both databases.
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  await db.schema.alterTable('users').addColumn('email_search', text).execute()
  await db.schema.alterTable('users').addColumn('full_name_search', text).execute()
  await db.schema.alterTable('users').addColumn('last_active_at', 'bigint').execute()
  await db.schema.alterTable('items').addColumn('title_search', text).execute()
  await db.schema.alterTable('items').addColumn('description_search', text).execute()
  await sql`update users set last_active_at = (select max(last_used_at) from sessions where user_id = users.id)
    where id in (select user_id from sessions)`.execute(db)

  const index = (name: string, on: string) => sql`create index ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  await index('users_without_search_form', 'users (id) where email_search is null')
  await index('items_without_search_form', 'items (id) where title_search is null')
  await index('users_superusers', 'users (created_at, id) where is_superuser = 1')
  await index('users_inactive', 'users (created_at, id) where is_active = 0')
  await index('users_invited', `users (created_at, id) where is_active = 1 and password_hash = ''`)
  await index('users_last_active', 'users (last_active_at, id)')
  if (isPostgres) {
    // An entry of a B-tree holds at most 2,704 bytes.
    await index('users_email_search', 'users (left(email_search, 600))')
    await index('users_full_name_search', 'users (left(full_name_search, 600))')
    await index('items_title_search', 'items (left(title_search, 600))')
    await index('items_title_search_of_owner', 'items (owner_id, left(title_search, 600))')
    // Rows without a value come last in both directions.
    await index('users_full_name_search_desc', 'users (left(full_name_search, 600) desc nulls last)')
    await index('users_last_active_desc', 'users (last_active_at desc nulls last, id)')
  } else {
    await index('users_email_search', 'users (email_search, id)')
    await index('users_full_name_search', 'users (full_name_search, id)')
    await index('items_title_search', 'items (title_search, id)')
    await index('items_title_search_of_owner', 'items (owner_id, title_search, id)')
  }
  await addSearchIndex(db, 'users', ['email_search', 'full_name_search'])
  await addSearchIndex(db, 'items', ['title_search', 'description_search'])
}
