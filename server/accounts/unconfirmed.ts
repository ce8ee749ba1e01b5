import type { Act } from '../sessions/change.ts'
import type { AuditDetails } from '../audit/record.ts'
import { forgetNetworks } from '../limits/queries.ts'
import type { Tx } from '../platform/database/store.ts'
import { deleteApiTokensOf } from '../sessions/queries.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { deleteIdentities, findOwnersOfIdentities, listIdentities } from '../sign-in/identity-queries.ts'
import {
  deleteFactors,
  deleteOlderFactors,
  type Factors,
  findOwnersOfFactors,
  readFactors,
} from '../sign-in/second-factor-queries.ts'
import { deleteOlderPassword, type User } from '../users/queries.ts'

// A stranger can sign up with another person's address, set up a passkey, and wait until that person uses the account.
// These functions remove such passkeys and other factors: docs/decisions/0042-proofs-of-addresses.md.

export interface Removed extends Factors {
  identities: number
  /** API tokens that had not expired. */
  tokens: number
  password?: boolean
}

const nothing: Removed = { appId: null, passkeys: 0, recoveryCodes: 0, identities: 0, tokens: 0 }

async function readRemovable(tx: Tx, id: string): Promise<Removed> {
  return { ...nothing, ...(await readFactors(tx, id)), identities: (await listIdentities(tx, id)).length }
}

/**
 * Removes factors, company accounts, API tokens and known networks of those accounts whose address is not confirmed.
 * @param users locked by this transaction
 * @returns what was removed, by the id of the account
 */
export async function removeUnconfirmedFactors(act: Act, users: readonly User[]): Promise<Map<string, Removed>> {
  const ids = users.flatMap(({ id, email_confirmed_at }) => (email_confirmed_at === null ? [id] : []))
  const removed = new Map<string, Removed>()
  if (ids.length === 0) return removed
  const owners = [...(await findOwnersOfFactors(act.tx, ids)), ...(await findOwnersOfIdentities(act.tx, ids))]
  for (const id of new Set(owners)) removed.set(id, await readRemovable(act.tx, id))
  await deleteFactors(act.tx, ids)
  await deleteIdentities(act.tx, ids)
  await forgetNetworks(act.tx, ids)
  return endApiTokens(act, ids, removed)
}

/**
 * Ends the API tokens of accounts, and adds their number to `removed`.
 * @param createdBefore keeps the tokens that were created later
 */
export async function endApiTokens(
  { now, tx }: Act,
  ids: readonly string[],
  removed = new Map<string, Removed>(),
  createdBefore?: number,
): Promise<Map<string, Removed>> {
  for (const [id, tokens] of await deleteApiTokensOf(tx, ids, now(), createdBefore)) {
    const before = removed.get(id) ?? nothing
    removed.set(id, { ...before, tokens: before.tokens + tokens })
  }
  return removed
}

/**
 * Removes factors and API tokens that are older than the confirmation of the address, because a stranger may have made
 * them. It runs when a mailed link sets a new password.
 * @returns what was removed, if anything, by the id of the account
 */
export async function removeEarlierFactors(act: Act, id: string, confirmedAt: number): Promise<Map<string, Removed>> {
  const removed = await removeOlderThanConfirmation(act, id, confirmedAt, confirmedAt)
  return new Map(hasWaysIn(removed) || removed.tokens > 0 ? [[id, removed]] : [])
}

/** @param tokensBefore keeps the API tokens that were created later; without it, all are ended */
export async function removeOlderThanConfirmation(act: Act, id: string, confirmedAt: number, tokensBefore?: number) {
  const ended = await endApiTokens(act, [id], undefined, tokensBefore)
  const before = await readRemovable(act.tx, id)
  await deleteOlderFactors(act.tx, id, confirmedAt)
  await deleteIdentities(act.tx, [id], confirmedAt)
  const password = await deleteOlderPassword(act.tx, id, confirmedAt)
  const after = await readRemovable(act.tx, id)
  return {
    passkeys: before.passkeys - after.passkeys,
    appId: before.appId === after.appId ? null : before.appId,
    recoveryCodes: before.recoveryCodes - after.recoveryCodes,
    identities: before.identities - after.identities,
    tokens: ended.get(id)?.tokens ?? 0,
    password,
  }
}

/**
 * Ends what a deactivation ends besides sessions: links, unfinished log-ins, API tokens, and the factors of accounts
 * whose address is not confirmed. Tells the owners of removed factors by mail.
 * @returns what was removed, by account
 */
export async function endAccess(act: Act, users: readonly User[]): Promise<Map<string, Removed>> {
  const ids = users.map(({ id }) => id)
  await deleteChallenges(act.tx, ids)
  const removed = await removeUnconfirmedFactors(act, users)
  for (const { id, email } of users) if (hasWaysIn(removed.get(id))) await act.notify('second-factor-reset', email)
  return endApiTokens(act, ids, removed)
}

function hasWaysIn({ appId, passkeys, recoveryCodes, identities }: Removed = nothing): boolean {
  return appId !== null || passkeys > 0 || recoveryCodes > 0 || identities > 0
}

export function removedDetails(removed: Removed | undefined): AuditDetails | undefined {
  if (!removed) return undefined
  const { passkeys, appId, recoveryCodes, identities, tokens, password } = removed
  return {
    ...(password && { removed_password: 1 }),
    ...(passkeys > 0 && { removed_passkeys: passkeys }),
    ...(appId !== null && { removed_apps: 1 }),
    ...(recoveryCodes > 0 && { removed_recovery_codes: recoveryCodes }),
    ...(identities > 0 && { removed_identities: identities }),
    ...(tokens > 0 && { removed_tokens: tokens }),
  }
}

export function withRemoved(message: string, removed: Removed | undefined): string {
  if (!removed) return message
  const kinds = [
    removed.passkeys > 0 && 'the passkeys',
    removed.appId !== null && 'the authenticator app',
    removed.recoveryCodes > 0 && 'the recovery codes',
    removed.identities > 0 && 'the connected accounts',
    removed.tokens > 0 && 'the API tokens',
  ].filter((kind) => kind !== false)
  const subject = new Intl.ListFormat('en-GB').format(kinds)
  return `${message}. ${subject.charAt(0).toUpperCase()}${subject.slice(1)} that were set up before this address was confirmed were removed`
}
