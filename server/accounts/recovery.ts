import { setPasswordByToken } from './mailed-password.ts'
import { recordAudit } from '../audit/record.ts'
import { isKnownNetwork } from '../limits/known-networks.ts'
import { consume, tryConsume } from '../limits/rules.ts'
import type { LimitName } from '../limits/table.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { queueMail } from '../platform/mail/queue.ts'
import { replaceTokens } from '../sign-in/token-queries.ts'
import { expiryOf, issueToken } from '../sign-in/tokens.ts'
import { type SessionActor, type Origin, requireAccess } from '../users/access.ts'
import { findCredentials, type User } from '../users/queries.ts'

/** Longer than any address. Text beyond it is not stored. */
const MAX_ADDRESS = 256

/**
 * Queues a recovery mail. The account is only looked up when the mail is sent, so that neither the response nor its time
 * shows which addresses have an account.
 * @throws DomainError `too-many` for too many requests from a network; too many mails to an address are silently omitted
 */
export async function requestRecovery(context: Context, { ip }: Origin, address: string): Promise<void> {
  await consume(context, context.store.db, 'recovery', { ip })
  const key = Array.from(emailKey(address)).slice(0, MAX_ADDRESS).join('')
  await context.store.transaction(async (tx) => {
    const limits: LimitName[] = ['recoveryMailInMinute', 'recoveryMail']
    // Strangers cannot block the owner.
    if (!(await isKnownNetwork(context, tx, key, ip))) limits.push('recoveryMailFromUnknownNetworks')
    if (await tryConsume(context, tx, limits, { email: key, ip })) await queueMail(context, tx, 'recovery', key, ip)
  })
}

/** @throws DomainError `forbidden`; `not-found` when no account has the address */
export async function requireAccountOf({ store }: Context, actor: SessionActor, address: string): Promise<void> {
  requireAccess(actor, 'superuser')
  const found = await findCredentials(store.db, { emailKey: emailKey(address) })
  if (!found) throw new DomainError('not-found', 'User not found')
}

/**
 * Makes a token for the mail that is about to be sent, which replaces an earlier one.
 * @param of the kind of the mail. That of a new account is already in the audit log, and its token becomes valid with the
 * activation
 * @returns `undefined` when no such account has the address
 */
export async function issueResetToken(
  context: Context,
  { id, address, origin }: { id: string; address: string; origin: string },
  of: 'recovery' | 'account-created',
): Promise<{ user: User; token: string } | undefined> {
  return issueToken(context, address, async (tx, user, digest) => {
    if (of === 'recovery' && !user.is_active) return false
    const token = { id, digest, expires_at: expiryOf(context, 'password-reset'), is_mailed: 1 as const }
    await replaceTokens(tx, user.id, 'password-reset', [token])
    if (of === 'recovery') await recordAudit(context, tx, { action: 'reset-link', subjectId: user.id, ip: origin })
    return true
  })
}

/** As `setPasswordByToken`. */
export async function resetPassword(context: Context, origin: Origin, token: string, password: string) {
  const redemption = { purpose: 'password-reset', action: 'password-reset', field: 'new_password' } as const
  return setPasswordByToken(context, origin, { token, password }, redemption)
}
