import type { Act } from '../sessions/change.ts'
import type { UserInvite } from '../contract/types.gen.ts'
import { consume } from '../limits/rules.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { queueMail } from '../platform/mail/outbox.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { readChallenge, INVITATION_PURPOSES, issueChallenge } from '../sign-in/challenges.ts'
import type { User } from '../users/queries.ts'
import { addAccount } from './changes.ts'
import { composeForOwner } from './mailed-links.ts'
import { invitationMail } from './mails.ts'

// Invitations to choose the first password: docs/decisions/0025-invitations.md.

export interface Invited {
  user: User
  token: string | undefined
}

/** Creates an account without a password. @throws DomainError `conflict` when the address is taken; `too-many` */
export async function invite(act: Act, facts: UserInvite): Promise<Invited> {
  const user = await addAccount(act, facts, null)
  act.audit('invite', { subjectId: user.id })
  return send(act, user)
}

/** @param user locked by this transaction @throws DomainError `conflict`, `too-many` */
export async function resendInvitation(act: Act, user: User): Promise<Invited> {
  if (!user.is_active) throw new DomainError('conflict', 'This user is inactive')
  if (!user.is_invited) throw new DomainError('conflict', 'This user has already set a password')
  act.audit('invite-resend', { subjectId: user.id })
  return send(act, user)
}

async function send(act: Act, user: User): Promise<Invited> {
  const mailId = await queueMail(act, invitation, user.email, act.actor.ip)
  await deleteChallenges(act.tx, [user.id], INVITATION_PURPOSES)
  await issueChallenge(act, 'invitation-mail', user.id, null, { token: mailId })
  const hasMail = act.config.mail.smtpUrl !== undefined
  const token = hasMail ? undefined : await issueChallenge(act, 'invitation-link', user.id, null)
  await consume(act, 'invitation', { email: emailKey(user.email) })
  return { user, token }
}

/**
 * The token is made when the mail is sent; a retry makes another one. The mail is dropped if a newer invitation
 * replaced this one.
 */
export const invitation: MailType = {
  kind: 'invitation',
  urgency: 1,
  compose: (context, mail) =>
    composeForOwner(context, mail, async (act, user) => {
      const wanted = await readChallenge(act, ['invitation-mail'], mail.id)
      if (wanted?.userId !== user.id) return undefined
      return invitationMail(
        act,
        user,
        await issueChallenge(act, 'invitation', user.id, null, { attempt: mail.attempts }),
      )
    }),
}
