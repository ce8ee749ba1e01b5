import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './store.ts'
import type { Tables } from './tables.ts'

/** As many as the migration made. */
const STRIPES = 16

/**
 * Keeps a total right, in the transaction that changes what it counts. Comes last in its transaction: the row is shared,
 * and a lock on it that is held for long is one that others wait for.
 */
export async function addToTotal(tx: Tx, name: Tables['totals']['name'], by: number): Promise<void> {
  if (by === 0) return
  await tx
    .updateTable('totals')
    .set((e) => ({ value: e('value', '+', by) }))
    .where('name', '=', name)
    .where('stripe', '=', Math.floor(Math.random() * STRIPES))
    .execute()
}

/** A query for one row with the total as `count`. */
export function totalOf(db: Db, name: Tables['totals']['name']) {
  // The sum of 64-bit numbers is a decimal on PostgreSQL.
  const sum: RawBuilder<number> = sql`cast(sum(value) as bigint)`
  return db.selectFrom('totals').select(sum.as('count')).where('name', '=', name)
}
