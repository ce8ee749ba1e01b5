import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'
import { addPostgresIndex } from '../platform/database/search-index.ts'

interface Index {
  table: string
  columns: string[]
}

/** On PostgreSQL, replaces the search indexes of earlier versions, which have the search forms as separate columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isSqlite(db)) return
  const { rows: indexes } = await sql<Index>`
    select t.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_index i
      join pg_class t on t.oid = i.indrelid
      join pg_class c on c.oid = i.indexrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
    where c.relname = t.relname || '_search' and i.indexprs is null
      and t.relnamespace = current_schema()::regnamespace
    group by t.relname`.execute(db)
  for (const { table } of indexes)
    await sql`alter index ${sql.id(`${table}_search`)} rename to ${sql.id(`${table}_search_old`)}`.execute(db)
  for (const { table, columns } of indexes) await addPostgresIndex(db, table, columns)
  // Last, because it locks the table also for readers.
  for (const { table } of indexes) await sql`drop index ${sql.id(`${table}_search_old`)}`.execute(db)
}
