import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { addToTotal } from '../platform/database/totals.ts'
import { endCounts, hideOwnedBy } from '../resources.ts'
import { deleteUsers, lockUsers, type User } from '../users/queries.ts'

/**
 * Deletes an account with all its data.
 * @param lastCheck runs after the account is locked, and throws to prevent the deletion
 * @returns the deleted account; `undefined`, without a write, when it does not exist
 */
export async function deleteAccount(
  context: Context,
  tx: Tx,
  id: string,
  lastCheck?: () => Promise<unknown>,
): Promise<User | undefined> {
  const [deleted] = await deleteAccounts(context, tx, [id], lastCheck)
  return deleted
}

/** Deletes accounts with all their data. @returns the deleted accounts, of those that exist */
export async function deleteAccounts(
  { now }: Context,
  tx: Tx,
  ids: readonly string[],
  lastCheck?: () => Promise<unknown>,
): Promise<User[]> {
  const counted = await endCounts(tx, ids)
  const existing = [...new Set([...counted.values()].flatMap((counts) => [...counts.keys()]))]
  if (existing.length === 0) return []
  await addToTotal(tx, 'users', -existing.length)
  await hideOwnedBy(tx, counted, now())
  if (lastCheck) {
    await lockUsers(tx, existing)
    await lastCheck()
  }
  return deleteUsers(tx, existing)
}
