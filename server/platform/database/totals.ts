import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import { statement, type ValueOf } from './statement.ts'
import type { Db, Tx } from './store.ts'

/** The number of rows of each total, which migrations created. */
export const STRIPES = 16

type Name = Tables['totals']['name']

/**
 * Updates a total in the transaction that changes the rows. Concurrent transactions rarely wait, as each updates a
 * random stripe.
 */
export async function addToTotal(tx: Tx, name: Name, by: number): Promise<void> {
  await addToStripe(tx, { name, by, stripe: Math.floor(Math.random() * STRIPES) })
}

const addToStripe = statement((db, value: ValueOf<{ name: Name; by: number; stripe: number }>) =>
  db
    .updateTable('totals')
    .set((e) => ({ value: e('value', '+', value('by')) }))
    .where('name', '=', value('name'))
    .where('stripe', '=', value('stripe')),
)

/** A query for the total, as `count`. */
export function totalOf(db: Db, name: Name) {
  // The sum of 64-bit numbers is a decimal on PostgreSQL.
  const sum: RawBuilder<number> = sql`cast(sum(value) as bigint)`
  return db.selectFrom('totals').select(sum.as('count')).where('name', '=', name)
}
