import { addAccount } from './changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { UserInvite } from '../contract/types.gen.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { queueMail } from '../platform/mail/outbox.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { find, INVITATIONS, issue } from '../sign-in/challenges.ts'
import type { Origin } from '../users/access.ts'
import type { User } from '../users/queries.ts'
import { writeToOwner } from './mailed-links.ts'
import { invitationMail } from './mails.ts'

// Invitations to choose the first password: docs/decisions/0025-invitations.md.

/** The invited user, and the token to hand over if there is no mail server. */
export interface Invited {
  user: User
  token: string | undefined
}

/** The inviting account, or the operator. */
interface InvitedBy extends Origin {
  actorId: string | undefined
  /** The name of the API token of a program. */
  token?: string | undefined
}

/** Creates an account without a password. @throws DomainError `conflict` when the address is taken; `too-many` */
export async function invite(context: Context, tx: Tx, facts: UserInvite, by: InvitedBy): Promise<Invited> {
  const user = await addAccount(context, tx, facts, null)
  await recordAudit(context, tx, { action: 'invite', subjectId: user.id, ...by })
  return send(context, tx, user, by)
}

/**
 * Invalidates all earlier links.
 * @param user locked by this transaction
 * @throws DomainError `conflict`; `too-many`
 */
export async function resendInvitation(context: Context, tx: Tx, user: User, by: InvitedBy): Promise<Invited> {
  if (!user.is_active) throw new DomainError('conflict', 'This user is inactive')
  if (!user.is_invited) throw new DomainError('conflict', 'This user has already set a password')
  await recordAudit(context, tx, { action: 'invite-resend', subjectId: user.id, ...by })
  return send(context, tx, user, by)
}

/** @throws DomainError `too-many` */
async function send(context: Context, tx: Tx, user: User, { ip }: Origin): Promise<Invited> {
  const mailId = await queueMail(context, tx, invitation, user.email, ip)
  await deleteChallenges(tx, [user.id], INVITATIONS)
  await issue(context, tx, 'invitation-mail', user.id, null, { token: mailId })
  const hasMail = context.config.mail.smtpUrl !== undefined
  const token = hasMail ? undefined : await issue(context, tx, 'invitation-link', user.id, null)
  await consume(context, tx, 'invitation', { email: emailKey(user.email) })
  return { user, token }
}

/** Its token is made when it is sent; a retry adds another. Not sent if a newer invitation replaced this one. */
export const invitation: MailType = {
  kind: 'invitation',
  urgency: 1,
  compose: (context, { id, address, attempts: attempt }) =>
    writeToOwner(context, address, async (tx, user) => {
      const wanted = await find(context, tx, ['invitation-mail'], id)
      if (wanted?.userId !== user.id) return undefined
      return invitationMail(context, user, await issue(context, tx, 'invitation', user.id, null, { attempt }))
    }),
}
