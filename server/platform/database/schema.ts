import { type Kysely, sql } from 'kysely'
import { isSqlite } from './dialect.ts'

// Migrations use this code. If you change what it creates, existing databases need another migration.

export async function run(db: Kysely<unknown>, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function columnsOf(db: Kysely<unknown>, table: string): Promise<{ name: string; isRequired: boolean }[]> {
  const query = isSqlite(db)
    ? sql<{ name: string; required: number }>`select name, "notnull" as required from pragma_table_info(${table})`
    : sql<{ name: string; required: number }>`
        select column_name as name, case is_nullable when 'NO' then 1 else 0 end as required
        from information_schema.columns where table_schema = current_schema() and table_name = ${table}
        order by ordinal_position`
  return (await query.execute(db)).rows.map(({ name, required }) => ({ name, isRequired: required === 1 }))
}

export interface Trigger {
  table: string
  on: 'insert' | 'update' | 'delete'
  /** The columns whose update runs the trigger. */
  updated?: readonly string[]
  name: string
  columns: readonly [string, ...string[]]
  /** @param rows the inserted or deleted rows, as a table for `from` */
  statements: (rows: string) => readonly string[]
}

/**
 * Creates or replaces a trigger that runs statements after rows were inserted, updated or deleted.
 * It runs for each row; on PostgreSQL, once for all inserted or deleted rows of a statement.
 */
export async function addTrigger(db: Kysely<unknown>, given: Trigger): Promise<void> {
  const { table, on, columns, updated = [], statements } = given
  const name = `${table}_${given.name}_${on}`
  const side = on === 'delete' ? 'old' : 'new'
  const event = on === 'update' ? `update of ${updated.map((column) => `"${column}"`).join(', ')}` : on
  // PostgreSQL cannot combine a list of updated columns with tables of the changed rows.
  const isForEachRow = isSqlite(db) || on === 'update'
  const row = columns.map((column) => `${side}.${column} as ${column}`).join(', ')
  const body = statements(isForEachRow ? `(select ${row}) as changed` : 'changed')
  const text = body.map((statement) => `${statement};`).join('\n')
  const definition = isSqlite(db)
    ? [`drop trigger if exists ${name}`, `create trigger ${name} after ${event} on ${table} begin ${text} end`]
    : [
        `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${text} return null; end $$`,
        `create or replace trigger ${name} after ${event} on ${table}
          ${isForEachRow ? 'for each row' : `referencing ${side} table as changed for each statement`}
          execute function ${name}()`,
      ]
  await run(db, ...definition)
}
