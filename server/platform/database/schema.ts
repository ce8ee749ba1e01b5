import { type Kysely, sql } from 'kysely'
import { isSqlite } from './dialect.ts'

/** Runs statements that change the schema. */
export async function run(db: Kysely<unknown>, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The columns of a table, in their order. */
export async function columnsOf(db: Kysely<unknown>, table: string): Promise<{ name: string; isRequired: boolean }[]> {
  const query = isSqlite(db)
    ? sql<{ name: string; required: number }>`select name, "notnull" as required from pragma_table_info(${table})`
    : sql<{ name: string; required: number }>`
        select column_name as name, case is_nullable when 'NO' then 1 else 0 end as required
        from information_schema.columns where table_schema = current_schema() and table_name = ${table}
        order by ordinal_position`
  return (await query.execute(db)).rows.map(({ name, required }) => ({ name, isRequired: required === 1 }))
}
