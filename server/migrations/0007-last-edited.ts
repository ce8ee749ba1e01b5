import { type Kysely, sql } from 'kysely'
import { addLastEdited } from '../owned/tables.ts'
import { isSqlite } from '../platform/database/dialect.ts'

/** Servers of the previous version may keep running. Their changes of rows do not count as the last edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The totals name all tables of resources, including those that a product has added.
  const { rows } = await sql<{ name: string }>`select distinct name from totals where name <> 'users'`.execute(db)
  for (const { name } of rows) if (!(await hasColumn(db, name))) await addLastEdited(db, name)
}

/** On a new database, a table of a product may be created before this migration, and then has the column. */
async function hasColumn(db: Kysely<unknown>, table: string): Promise<boolean> {
  const found = isSqlite(db)
    ? sql`select 1 from pragma_table_info(${table}) where name = 'updated_at'`
    : sql`select 1 from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and column_name = 'updated_at'`
  return (await found.execute(db)).rows.length > 0
}
