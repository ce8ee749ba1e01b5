import type { AuditDetails } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { deleteFactors, type Factors, findOwnersOfFactors, readFactors } from '../sign-in/second-factor-queries.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { notify } from '../sign-in/notices.ts'
import type { Origin } from '../users/access.ts'
import type { User } from '../users/queries.ts'

// Accounts whose address no mailed link has proved. Anybody may have made them and set up factors, to get in later than
// the owner of the address: docs/decisions/0031-confirmed-addresses.md.

/**
 * Removes the factors of those of the accounts whose address is not confirmed, and what was begun with them.
 * @param users locked by this transaction
 * @returns what accounts had, by id
 */
export async function removeUnconfirmedFactors(tx: Tx, users: readonly User[]): Promise<Map<string, Factors>> {
  const ids = users.flatMap(({ id, email_confirmed_at }) => (email_confirmed_at === null ? [id] : []))
  const removed = new Map<string, Factors>()
  if (ids.length === 0) return removed
  for (const id of await findOwnersOfFactors(tx, ids)) removed.set(id, await readFactors(tx, id))
  await deleteFactors(tx, ids)
  return removed
}

/**
 * Ends what a deactivation ends besides sessions: all challenges, such as mailed links, and the factors of accounts whose
 * address is not confirmed, which it notifies.
 * @returns the removed factors, by account
 */
export async function endAccess(
  context: Context,
  tx: Tx,
  users: readonly User[],
  { ip }: Origin,
): Promise<Map<string, Factors>> {
  const ids = users.map(({ id }) => id)
  await deleteChallenges(tx, ids)
  const removed = await removeUnconfirmedFactors(tx, users)
  for (const user of users) if (removed.has(user.id)) await notify(context, tx, 'second-factor-reset', user.email, ip)
  return removed
}

/** For an audit entry. */
export function removedDetails(removed: Factors | undefined): AuditDetails | undefined {
  if (!removed) return undefined
  const { passkeys, appId, recoveryCodes } = removed
  return {
    ...(passkeys > 0 && { removed_passkeys: passkeys }),
    ...(appId !== null && { removed_apps: 1 }),
    ...(recoveryCodes > 0 && { removed_recovery_codes: recoveryCodes }),
  }
}

/** The answer to a change that may have removed factors. */
export function withRemoved(message: string, removed: Factors | undefined): string {
  if (!removed) return message
  const kinds = [
    removed.passkeys > 0 && 'the passkeys',
    removed.appId !== null && 'the authenticator app',
    removed.recoveryCodes > 0 && 'the recovery codes',
  ].filter((kind) => kind !== false)
  const subject = new Intl.ListFormat('en-GB').format(kinds)
  return `${message}. ${subject.charAt(0).toUpperCase()}${subject.slice(1)} that were set up before this address was confirmed were removed`
}
