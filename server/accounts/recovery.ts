import { type Act, change } from '../sessions/change.ts'
import { readKnownNetworks } from '../limits/known-networks.ts'
import { consume, tryConsume } from '../limits/rules.ts'
import type { LimitName } from '../limits/table.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { queueMail } from '../platform/mail/outbox.ts'
import { issueChallenge } from '../sign-in/challenges.ts'
import { type Origin, requireAccess, type SessionActor } from '../users/access.ts'
import { findCredentials, type User } from '../users/queries.ts'
import { composeForOwner } from './mailed-links.ts'
import { recoveryMail } from './mails.ts'

/** Longer than any address. Text beyond it is not stored. */
const MAX_ADDRESS = 256

/**
 * Queues a recovery mail. The account is looked up when the mail is sent, so that neither the response nor its time
 * shows which addresses have an account. Too many mails to an address are silently omitted.
 * @throws DomainError `too-many` for too many requests from a network
 */
export async function requestRecovery(context: Context, origin: Origin, address: string): Promise<void> {
  const { ip } = origin
  await consume(context, 'recovery', { ip })
  const key = Array.from(emailKey(address)).slice(0, MAX_ADDRESS).join('')
  await change(context, origin, {}, async (act) => {
    const limits: LimitName[] = ['recoveryMailInMinute', 'recoveryMail']
    // This limit does not apply to networks of the owner, so strangers cannot use up the mails of the owner.
    if (!(await readKnownNetworks(act, key, ip)).isKnownNetwork) limits.push('recoveryMailFromUnknownNetworks')
    if (await tryConsume(act, limits, { email: key, ip })) await queueMail(act, recovery, key, ip)
  })
}

/** @throws DomainError `forbidden`; `not-found` when no account has the address */
export async function requireAccountOf({ store }: Context, actor: SessionActor, address: string): Promise<void> {
  requireAccess(actor, 'superuser')
  const found = await findCredentials(store.db, { emailKey: emailKey(address) })
  if (!found) throw new DomainError('not-found', 'User not found')
}

export const recovery: MailType = {
  kind: 'recovery',
  urgency: 0,
  compose: (context, mail) =>
    composeForOwner(context, mail, async (act, user) => {
      if (!user.is_active || !act.config.passwordLogIn) return undefined
      act.audit('reset-link', { subjectId: user.id })
      return recoveryMail(act, await issueResetToken(act, user, mail.attempts))
    }),
}

/** Ends the tokens of earlier mails. @param attempt the number of the attempt to send this mail */
export function issueResetToken(act: Act, user: User, attempt: number): Promise<string> {
  return issueChallenge(act, 'password-reset', user.id, null, { attempt })
}
