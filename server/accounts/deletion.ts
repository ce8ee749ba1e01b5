import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { addToTotal } from '../platform/database/totals.ts'
import { deleteOwnedBy, endCounts } from '../resources.ts'
import { deleteUser, lockUser, type User } from '../users/queries.ts'

/**
 * Deletes an account with all its data.
 * @param lastCheck runs after the account is locked, and throws to prevent the deletion
 * @returns the deleted account; `undefined` when it does not exist, and then the transaction must be rolled back
 */
export async function deleteAccount(
  { now }: Context,
  tx: Tx,
  id: string,
  lastCheck?: () => Promise<unknown>,
): Promise<User | undefined> {
  const counted = await endCounts(tx, id)
  if (counted === undefined) return undefined
  await addToTotal(tx, 'users', -1)
  await deleteOwnedBy(tx, id, counted, now())
  if (lastCheck) {
    await lockUser(tx, id)
    await lastCheck()
  }
  return deleteUser(tx, id)
}
