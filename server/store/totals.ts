import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './store.ts'
import type { Tables } from './tables.ts'

/** As many as the migration made. */
const STRIPES = 16

type Name = Tables['totals']['name']

/**
 * Keeps a total right, in the transaction that changes what it counts. Many can do so at the same time, as each takes one
 * stripe.
 */
export async function addToTotal(tx: Tx, name: Name, by: number): Promise<void> {
  await tx
    .updateTable('totals')
    .set((e) => ({ value: e('value', '+', by) }))
    .where('name', '=', name)
    .where('stripe', '=', Math.floor(Math.random() * STRIPES))
    .execute()
}

/** A query for one row with the total as `count`. */
export function totalOf(db: Db, name: Name) {
  // The sum of 64-bit numbers is a decimal on PostgreSQL.
  const sum: RawBuilder<number> = sql`cast(sum(value) as bigint)`
  return db.selectFrom('totals').select(sum.as('count')).where('name', '=', name)
}
