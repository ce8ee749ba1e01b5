import type { Tx } from './store.ts'

/**
 * Makes transactions run one at a time. The second waits until the first has ended, and sees its changes. Writing a row
 * is the only lock that SQLite, PostgreSQL and its relatives share.
 */
export async function takeAccountsLock(tx: Tx): Promise<void> {
  await tx
    .updateTable('locks')
    .set((e) => ({ taken: e('taken', '+', 1) }))
    .where('name', '=', 'accounts')
    .execute()
}
