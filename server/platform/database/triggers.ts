import { type Kysely, sql } from 'kysely'
import { isSqlite } from './dialect.ts'

// Applied migrations have used this code, so a change of its results needs a migration of existing databases.

export interface Trigger {
  table: string
  on: 'insert' | 'delete'
  /** With the table and the event, the name of the trigger. */
  name: string
  /** The columns that the statements read. */
  columns: readonly [string, ...string[]]
  /** @param rows the inserted or deleted rows, as a table for `from` */
  statements: (rows: string) => readonly string[]
}

/**
 * Creates a trigger that runs statements after rows were inserted or deleted: on SQLite for each row, on PostgreSQL once
 * for all rows of a statement.
 */
export async function addTrigger(db: Kysely<unknown>, given: Trigger): Promise<void> {
  const { table, on, columns, statements } = given
  const name = `${table}_${given.name}_${on}`
  const side = on === 'insert' ? 'new' : 'old'
  const row = columns.map((column) => `${side}.${column} as ${column}`).join(', ')
  const body = statements(isSqlite(db) ? `(select ${row}) as changed` : 'changed')
  const text = body.map((statement) => `${statement};`).join('\n')
  for (const statement of isSqlite(db)
    ? [`create trigger ${name} after ${on} on ${table} begin ${text} end`]
    : [
        `create function ${name}() returns trigger language plpgsql as $$ begin ${text} return null; end $$`,
        `create trigger ${name} after ${on} on ${table} referencing ${side} table as changed
          for each statement execute function ${name}()`,
      ])
    await sql.raw(statement).execute(db)
}
