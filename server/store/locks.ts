import type { Tx } from './store.ts'

/**
 * Makes transactions take turns: whoever comes second waits here until the first is through, and then sees what it did.
 * A row that is written is the one lock that SQLite and PostgreSQL (and its relatives) have in common.
 */
export async function takeAccountsLock(tx: Tx): Promise<void> {
  await tx
    .updateTable('locks')
    .set((e) => ({ taken: e('taken', '+', 1) }))
    .where('name', '=', 'accounts')
    .execute()
}
