import { recordAudit } from '../audit/record.ts'
import { isKnownNetwork } from '../limits/known-networks.ts'
import { consume, tryConsume } from '../limits/rules.ts'
import type { LimitName } from '../limits/table.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { queueMail } from '../platform/mail/outbox.ts'
import { issue } from '../sign-in/challenges.ts'
import { type SessionActor, type Origin, requireAccess } from '../users/access.ts'
import { findCredentials, type User } from '../users/queries.ts'
import { writeToOwner } from './mailed-links.ts'
import { recoveryMail } from './mails.ts'

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
    if (await tryConsume(context, tx, limits, { email: key, ip })) await queueMail(context, tx, recovery, key, ip)
  })
}

/** @throws DomainError `forbidden`; `not-found` when no account has the address */
export async function requireAccountOf({ store }: Context, actor: SessionActor, address: string): Promise<void> {
  requireAccess(actor, 'superuser')
  const found = await findCredentials(store.db, { emailKey: emailKey(address) })
  if (!found) throw new DomainError('not-found', 'User not found')
}

/** For people who forgot their password. */
export const recovery: MailType = {
  kind: 'recovery',
  urgency: 0,
  compose: (context, { address, origin, attempts }) =>
    writeToOwner(context, address, async (tx, user) => {
      if (!user.is_active || !context.config.passwordLogIn) return undefined
      await recordAudit(context, tx, { action: 'reset-link', subjectId: user.id, ip: origin })
      return recoveryMail(context, await issueResetToken(context, tx, user, attempts))
    }),
}

/** Replaces the tokens of earlier mails. @param attempt of the mail */
export function issueResetToken(context: Context, tx: Tx, user: User, attempt: number): Promise<string> {
  return issue(context, tx, 'password-reset', user.id, null, { attempt })
}
