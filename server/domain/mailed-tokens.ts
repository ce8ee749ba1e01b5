import { emailKey } from '../lib/email-address.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import { findCredentials, lockUser, type User } from '../store/users.ts'
import { hashGroup } from '../lib/network-address.ts'
import type { Origin } from './access.ts'
import type { AccountChanges, ChangedBy } from './account-changes.ts'
import type { Audit } from './audit.ts'
import { DomainError } from './errors.ts'
import { makeFamiliar } from './familiar-blocks.ts'
import type { Limits } from './limits.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { Passwords } from './passwords.ts'
import { hashToken, newToken } from './tokens.ts'

interface TokenKind {
  action: Extract<ChangedBy['passwordAction'], 'password-reset' | 'invitation-accept'>
  /** The key of the input that holds the password. */
  field: 'password' | 'new_password'
  /** The owner of a token, if it is valid and the account is active. */
  findOwner(db: Db, tokenHash: string): Promise<User | undefined>
  /** Consumes a token. @returns false when it is invalid or was just used */
  use(tx: Tx, tokenHash: string): Promise<boolean>
}

export type MailedTokens = ReturnType<typeof createMailedTokens>

/** Sets passwords with the token of a mailed link, without a session. */
export function createMailedTokens(options: {
  store: Store
  passwords: Passwords
  policy: PasswordPolicy
  limits: Limits
  change: AccountChanges
  audit: Audit
  now: () => number
}) {
  const { store, passwords, policy, limits, change, audit, now } = options

  async function redeem(
    kind: TokenKind,
    { ip }: Origin,
    token: string,
    given: { password: string; full_name?: string | null },
  ): Promise<void> {
    const { password, ...others } = given
    const tokenHash = hashToken(token)
    const owner = (await kind.findOwner(store.db, tokenHash)) ?? invalidToken()
    policy.require(password, { ...owner, ...others }, kind.field)
    const passwordHash = await passwords.hash(password, hashGroup(ip))
    await store.transaction(async (tx) => {
      const before = await lockUser(tx, owner.id)
      if (!before?.is_active || !(await kind.use(tx, tokenHash))) invalidToken()
      const by = { actorId: undefined, ip, passwordAction: kind.action } as const
      await change(tx, before, { ...others, password_hash: passwordHash }, by)
      // The mail proves the identity, so guesses from other networks must not lock out this one.
      await makeFamiliar(tx, before.id, ip, now())
    })
  }

  return {
    /**
     * Creates a token for the mail that is about to be sent. The account is locked, so that its address cannot change at
     * the same time.
     * @param save stores the token's digest; returns false if the mail is no longer needed
     * @returns `undefined` when no account has the address or the mail is no longer needed
     */
    async issue(
      address: string,
      save: (tx: Tx, user: User, tokenHash: string) => Promise<boolean>,
    ): Promise<{ user: User; token: string } | undefined> {
      const key = emailKey(address)
      const found = await findCredentials(store.db, { emailKey: key })
      if (!found) return undefined
      const token = newToken()
      return store.transaction(async (tx) => {
        const user = await lockUser(tx, found.user.id, { emailKey: key })
        return user && (await save(tx, user, hashToken(token))) ? { user, token } : undefined
      })
    },

    /**
     * Consumes the token, sets the password and, if given, the name, and ends all sessions, in one transaction.
     * @throws DomainError `invalid` for any invalid token, without the reason; `weak-password`; `busy`
     */
    async redeem(...[kind, origin, token, given]: Parameters<typeof redeem>): Promise<void> {
      try {
        await redeem(kind, origin, token, given)
      } catch (error) {
        if (error instanceof InvalidToken) {
          await store.transaction(async (tx) => {
            if (!(await limits.invalidTokenEntry(tx, origin.ip))) return
            await audit.record(tx, { action: kind.action, result: 'invalid-token', ip: origin.ip })
          })
        }
        throw error
      }
    },
  }
}

class InvalidToken extends DomainError {}

function invalidToken(): never {
  throw new InvalidToken('invalid', 'Invalid token')
}
