import { v7 as uuid } from 'uuid'
import { addAccount } from './changes.ts'
import { setPasswordByToken } from './mailed-password.ts'
import { recordAudit } from '../audit/record.ts'
import type { UserInvite } from '../contract/types.gen.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { hashToken, newToken } from '../platform/lib/secret-token.ts'
import { queueMail } from '../platform/mail/queue.ts'
import { replaceTokens, setDigest } from '../sign-in/token-queries.ts'
import { expiryOf, issueToken } from '../sign-in/tokens.ts'
import type { Origin } from '../users/access.ts'
import type { User } from '../users/queries.ts'

// Invitations to choose the first password: docs/decisions/0025-invitations.md.

/** The invited user, and the token to hand over if there is no mail server. */
export interface Invited {
  user: User
  token: string | undefined
}

/** The inviting account, or the operator. */
interface InvitedBy extends Origin {
  actorId: string | undefined
}

/** Creates an account without a password. @throws DomainError `conflict` when the address is taken; `too-many` */
export async function invite(context: Context, tx: Tx, facts: UserInvite, by: InvitedBy): Promise<Invited> {
  const user = await addAccount(context, tx, facts, null)
  await recordAudit(context, tx, { action: 'invite', actorId: by.actorId, subjectId: user.id, ip: by.ip })
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
  await recordAudit(context, tx, { action: 'invite-resend', actorId: by.actorId, subjectId: user.id, ip: by.ip })
  return send(context, tx, user, by)
}

/** @throws DomainError `too-many` */
async function send(context: Context, tx: Tx, user: User, { ip }: Origin): Promise<Invited> {
  const token = context.config.mail.smtpUrl === undefined ? newToken() : undefined
  const mailId = await queueMail(context, tx, 'invitation', user.email, ip)
  const expires_at = expiryOf(context, 'invitation')
  await replaceTokens(tx, user.id, 'invitation', [
    { id: mailId, digest: null, expires_at, is_mailed: 1 },
    ...(token === undefined ? [] : [{ id: uuid(), digest: hashToken(token), expires_at, is_mailed: 0 as const }]),
  ])
  await consume(context, tx, 'invitation', { email: emailKey(user.email) })
  return { user, token }
}

/**
 * Makes a token for the mail that is about to be sent. A retry makes another.
 * @returns `undefined` when the invitation is invalid or a newer mail has replaced this one
 */
export async function issueInvitationToken(
  context: Context,
  mail: { id: string; address: string },
): Promise<{ user: User; token: string } | undefined> {
  return issueToken(context, mail.address, (tx, { id }, digest) => setDigest(tx, mail.id, id, digest))
}

/** As `setPasswordByToken`. */
export async function acceptInvitation(
  context: Context,
  origin: Origin,
  given: { token: string; password: string; full_name?: string | null },
) {
  const redemption = { purpose: 'invitation', action: 'invitation-accept', field: 'password' } as const
  return setPasswordByToken(context, origin, given, redemption)
}
