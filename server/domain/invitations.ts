import { findInvited, replaceInvitation, setMailedToken, useInvitation } from '../store/invitations.ts'
import type { Tx } from '../store/store.ts'
import type { NewUser, User } from '../store/users.ts'
import type { Origin } from './access.ts'
import { addAccount } from './account-changes.ts'
import { type Period, startsOf } from '../lib/clock.ts'
import type { Audit } from './audit.ts'
import { emailKey } from '../lib/email-address.ts'
import { DomainError } from './errors.ts'
import type { Limits } from './limits.ts'
import type { MailQueue } from './mail-queue.ts'
import type { MailedTokens } from './mailed-tokens.ts'
import { hashToken, newToken } from './tokens.ts'

const LIFETIME_MS = 7 * 86_400_000

export type Invitations = ReturnType<typeof createInvitations>

/** The invited user, and the token to hand over if there is no mail server. */
export interface Invited {
  user: User
  token: string | undefined
}

/** The inviting account, or the operator. */
interface InvitedBy extends Origin {
  actorId: string | undefined
}

/** Invitations to choose the first password: docs/decisions/0025-invitations.md. */
export function createInvitations(options: {
  mailedTokens: MailedTokens
  limits: Limits
  audit: Audit
  mails: MailQueue
  hasMailServer: boolean
  now: () => number
}) {
  const { mailedTokens, limits, audit, mails, hasMailServer, now } = options
  const validStarts = (): Period => startsOf(now(), LIFETIME_MS)

  /** @throws DomainError `too-many` */
  async function send(tx: Tx, user: User, { ip }: Origin): Promise<Invited> {
    const token = hasMailServer ? undefined : newToken()
    await replaceInvitation(tx, {
      user_id: user.id,
      mail_id: await mails.add(tx, 'invitation', user.email, ip),
      told_hash: token === undefined ? null : hashToken(token),
      created_at: now(),
    })
    await limits.invitation(tx, emailKey(user.email))
    return { user, token }
  }

  return {
    validStarts,

    /** Creates an account without a password. @throws DomainError `conflict` when the address is taken; `too-many` */
    async invite(
      tx: Tx,
      facts: Pick<NewUser, 'email' | 'full_name' | 'is_superuser'>,
      by: InvitedBy,
    ): Promise<Invited> {
      const user = await addAccount(tx, { ...facts, is_active: true }, '', now())
      await audit.record(tx, { action: 'invite', actorId: by.actorId, subjectId: user.id, ip: by.ip })
      return send(tx, user, by)
    },

    /**
     * Invalidates all earlier links.
     * @param user locked by this transaction
     * @throws DomainError `conflict`; `too-many`
     */
    async resend(tx: Tx, user: User, by: InvitedBy): Promise<Invited> {
      if (!user.is_active) throw new DomainError('conflict', 'This user is inactive')
      if (!user.is_invited) throw new DomainError('conflict', 'This user has already set a password')
      await audit.record(tx, { action: 'invite-resend', actorId: by.actorId, subjectId: user.id, ip: by.ip })
      return send(tx, user, by)
    },

    /**
     * Creates a token for the mail that is about to be sent. A retry creates another.
     * @returns `undefined` when the invitation is invalid or a newer mail has replaced this one
     */
    issueToken: (mail: { id: string; address: string }): Promise<{ user: User; token: string } | undefined> =>
      mailedTokens.issue(mail.address, (tx, { id }, tokenHash) => setMailedToken(tx, id, mail.id, tokenHash)),

    /** @throws DomainError `invalid` for any invalid token, without the reason; `weak-password`; `busy` */
    async accept(origin: Origin, token: string, given: { password: string; full_name?: string | null }): Promise<void> {
      await mailedTokens.redeem(
        {
          action: 'invitation-accept',
          field: 'password',
          findOwner: (db, tokenHash) => findInvited(db, tokenHash, validStarts()),
          use: (tx, tokenHash) => useInvitation(tx, tokenHash, validStarts()),
        },
        origin,
        token,
        given,
      )
    },
  }
}
