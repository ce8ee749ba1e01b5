import type { Store } from '../store/store.ts'
import { findResetTokenOwner, replaceResetToken, useResetToken } from '../store/reset-tokens.ts'
import { findCredentials, type User } from '../store/users.ts'
import { type Actor, type Origin, requireAccess } from './access.ts'
import { type Period, startsOf } from '../lib/clock.ts'
import type { Audit } from './audit.ts'
import { emailKey } from '../lib/email-address.ts'
import { DomainError } from './errors.ts'
import type { Limits } from './limits.ts'
import type { MailQueue } from './mail-queue.ts'
import type { MailedTokens } from './mailed-tokens.ts'

const TOKEN_LIFETIME_MS = 60 * 60_000

/** Longer than any address. Text beyond it is not stored. */
const MAX_ADDRESS = 256

export type Recovery = ReturnType<typeof createRecovery>

export function createRecovery(options: {
  store: Store
  mailedTokens: MailedTokens
  limits: Limits
  audit: Audit
  mails: MailQueue
  now: () => number
}) {
  const { store, mailedTokens, limits, audit, mails, now } = options
  const validStarts = (): Period => startsOf(now(), TOKEN_LIFETIME_MS)

  return {
    validStarts,

    /**
     * Queues a recovery mail. The account is only looked up when the mail is sent, so that neither the response nor its
     * time shows which addresses have an account.
     * @throws DomainError `too-many` for too many requests from a network; too many mails to an address are silently
     * omitted
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
     * Creates a token for the mail that is about to be sent, which replaces an earlier one.
     * @param whom a token of an inactive account becomes valid with its activation
     * @returns `undefined` when no such account has the address
     */
    async issueToken(
      { address, origin }: { address: string; origin: string },
      whom: 'active' | 'active-or-inactive',
    ): Promise<{ user: User; token: string } | undefined> {
      return mailedTokens.issue(address, async (tx, { id, is_active }, tokenHash) => {
        if (whom === 'active' && !is_active) return false
        await replaceResetToken(tx, { user_id: id, token_hash: tokenHash, created_at: now() })
        await audit.record(tx, { action: 'reset-link', subjectId: id, ip: origin })
        return true
      })
    },

    /**
     * Consumes the token, sets the password and ends all sessions, in one transaction.
     * @throws DomainError `invalid` for any invalid token, without the reason; `weak-password`; `busy`
     */
    async reset(origin: Origin, token: string, password: string): Promise<void> {
      await mailedTokens.redeem(
        {
          action: 'password-reset',
          field: 'new_password',
          findOwner: (db, tokenHash) => findResetTokenOwner(db, tokenHash, validStarts()),
          use: (tx, tokenHash) => useResetToken(tx, tokenHash, validStarts()),
        },
        origin,
        token,
        { password },
      )
    },
  }
}
