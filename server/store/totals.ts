import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './store.ts'
import type { Tables } from './tables.ts'

/** As many as the migration made. */
const STRIPES = 16

type Name = Tables['totals']['name']

/**
 * Keeps a total right, in the transaction that changes what it counts, and before it does. Many can do so at the same
 * time, as each takes one stripe.
 * @param how.alone takes all stripes: waits until nobody else is adding or deleting, and keeps them waiting until this
 * transaction ends
 */
export async function addToTotal(tx: Tx, name: Name, by: number, how = { alone: false }): Promise<void> {
  const rows = tx.updateTable('totals').where('name', '=', name)
  const add = (value: number) => rows.set((e) => ({ value: e('value', '+', value) }))
  const stripe = how.alone ? 0 : Math.floor(Math.random() * STRIPES)
  await add(by).where('stripe', '=', stripe).execute()
  // Of two who want them all, the second waits at the first stripe, and has none that the other needs.
  if (how.alone) await add(0).where('stripe', '>', 0).execute()
}

/** A query for one row with the total as `count`. */
export function totalOf(db: Db, name: Name) {
  // The sum of 64-bit numbers is a decimal on PostgreSQL.
  const sum: RawBuilder<number> = sql`cast(sum(value) as bigint)`
  return db.selectFrom('totals').select(sum.as('count')).where('name', '=', name)
}
