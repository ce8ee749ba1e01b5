import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import { isSqlite } from './dialect.ts'
import { addTrigger, run } from './schema.ts'

// Triggers keep the numbers of rows of tables: docs/decisions/0011-counts-by-triggers.md.

type Counted = Tables['totals']['name']

/** A total on PostgreSQL is the sum of this many rows, so that transactions rarely wait for each other. */
const STRIPES = 16

/**
 * Counts the rows of a table from now on: all, and those of each owner. Includes the rows that exist.
 * @param owner the column that identifies the owner, if there is one
 */
export async function addCounts(db: Kysely<unknown>, table: string, owner?: string): Promise<void> {
  const stripe = isSqlite(db) ? '0' : `pg_backend_pid() % ${STRIPES}`
  // Counts of owners are locked before the total: transactions that lock them in different orders could deadlock.
  const count = (sign: '' | '-') => (rows: string) => [
    ...(owner === undefined
      ? []
      : [
          `insert into counts (name, owner_id, value)
            select '${table}', ${owner}, ${sign}count(*) from ${rows} group by ${owner}
            on conflict (owner_id, name) do update set value = counts.value + excluded.value`,
        ]),
    `insert into totals (name, stripe, value) select '${table}', ${stripe}, ${sign}count(*) from ${rows} having count(*) > 0
      on conflict (name, stripe) do update set value = totals.value + excluded.value`,
  ]
  await run(db, ...count('')(table))
  const trigger = { table, name: 'count', columns: [owner ?? 'id'] } as const
  await addTrigger(db, { ...trigger, on: 'insert', statements: count('') })
  await addTrigger(db, { ...trigger, on: 'delete', statements: count('-') })
}

/** A query for the number of rows, as `count`, without those of deleted owners. */
export function totalOf(name: Counted): RawBuilder<{ count: number }> {
  // PostgreSQL sums 64-bit numbers as decimals.
  return sql`select cast(coalesce(sum(value), 0) - coalesce((
      select sum((select value from counts where name = ${name} and owner_id = deleted_owners.owner_id))
      from deleted_owners), 0) as bigint) as count
    from totals where name = ${name}`
}

/** A query for the number of rows of an owner, as `count`; 0 if the owner is deleted. */
export function countOf(name: Counted, ownerId: string): RawBuilder<{ count: number }> {
  return sql`select cast(coalesce(sum(value), 0) as bigint) as count from counts
    where name = ${name} and owner_id = ${ownerId} and owner_id not in (select owner_id from deleted_owners)`
}
