import type { Store } from '../store/store.ts'
import { findResetTokenOwner, replaceResetToken, useResetToken } from '../store/reset-tokens.ts'
import { findCredentials, lockUser, type User } from '../store/users.ts'
import { type Actor, type Origin, requireAccess } from './access.ts'
import type { Audit } from './audit.ts'
import { emailKey } from '../lib/email-address.ts'
import { DomainError } from './errors.ts'
import type { Limits } from './limits.ts'
import type { MailQueue } from './mail-queue.ts'
import type { MailedTokens } from './mailed-tokens.ts'
import { hashToken, newToken } from './tokens.ts'

const TOKEN_LIFETIME_MS = 60 * 60_000

/** Longer than any address can be; what is typed beyond it is not kept. */
const MAX_ADDRESS = 256

export type Recovery = ReturnType<typeof createRecovery>

/** A new password for who has forgotten the old one and reads the mail of the account. */
export function createRecovery(options: {
  store: Store
  mailedTokens: MailedTokens
  limits: Limits
  audit: Audit
  mails: MailQueue
  now: () => number
}) {
  const { store, mailedTokens, limits, audit, mails, now } = options
  const validAfter = (): number => now() - TOKEN_LIFETIME_MS

  return {
    validAfter,

    /**
     * Queues a recovery mail. Whether anybody has the address is looked up when the mail is sent, so that the same is
     * done here for every address, and nobody learns from the answer or its time which are registered.
     * @throws DomainError `too-many` for who asks too often; too many mails for one address are left out in silence
     */
    async request({ ip }: Origin, address: string): Promise<void> {
      await limits.recovery(ip)
      const key = Array.from(emailKey(address)).slice(0, MAX_ADDRESS).join('')
      await store.transaction(async (tx) => {
        if (await limits.recoveryMail(tx, key, ip)) await mails.add(tx, 'recovery', key, ip)
      })
    },

    /** @throws DomainError `forbidden`; `not-found` when no account has the address */
    async requireAccount(actor: Actor, address: string): Promise<void> {
      requireAccess(actor, 'superuser')
      const found = await findCredentials(store.db, { emailKey: emailKey(address) })
      if (!found) throw new DomainError('not-found', 'User not found')
    },

    /**
     * A token for the mail that is about to be sent; it replaces the one before. The account is held, so that no token
     * is made for an address that changes in the same moment.
     * @param whom a token for an inactive account works once the account is activated
     * @returns `undefined` when no such account has the address
     */
    async issueToken(
      { address, origin }: { address: string; origin: string },
      whom: 'active' | 'active-or-inactive',
    ): Promise<{ user: User; token: string } | undefined> {
      const key = emailKey(address)
      const found = await findCredentials(store.db, { emailKey: key })
      if (!found) return undefined
      const token = newToken()
      return store.transaction(async (tx) => {
        const user = await lockUser(tx, found.user.id, { emailKey: key })
        if (!user || (whom === 'active' && !user.is_active)) return undefined
        await replaceResetToken(tx, { user_id: user.id, token_hash: hashToken(token), created_at: now() })
        await audit.record(tx, { action: 'reset-link', subjectId: user.id, ip: origin })
        return { user, token }
      })
    },

    /**
     * Uses up the token, sets the password and ends all sessions, or does nothing.
     * @throws DomainError `invalid` for any token that does not hold, without saying why; `weak-password`; `busy`
     */
    async reset(origin: Origin, token: string, password: string): Promise<void> {
      await mailedTokens.redeem(
        {
          action: 'password-reset',
          field: 'new_password',
          findOwner: (db, tokenHash) => findResetTokenOwner(db, tokenHash, validAfter()),
          use: (tx, tokenHash) => useResetToken(tx, tokenHash, validAfter()),
        },
        origin,
        token,
        { password },
      )
    },
  }
}
