import type { Db, Store, Tx } from '../store/store.ts'
import { lockUser, type User } from '../store/users.ts'
import { hashGroup } from '../lib/network-address.ts'
import type { Origin } from './access.ts'
import type { AccountChanges, ChangedBy } from './account-changes.ts'
import type { Audit } from './audit.ts'
import { DomainError } from './errors.ts'
import { makeFamiliar } from './familiar-blocks.ts'
import type { Limits } from './limits.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { Passwords } from './passwords.ts'
import { hashToken } from './tokens.ts'

/** What a token of a mailed link is for. */
interface TokenKind {
  action: Extract<ChangedBy['passwordAction'], 'password-reset' | 'invitation-accept'>
  /** The key of the input that holds the password. */
  field: 'password' | 'new_password'
  /** Whose a token is, if it holds and the account is active. */
  findOwner(db: Db, tokenHash: string): Promise<User | undefined>
  /** Uses a token up. @returns false when it does not hold, or somebody else just used it */
  use(tx: Tx, tokenHash: string): Promise<boolean>
}

export type MailedTokens = ReturnType<typeof createMailedTokens>

/** Passwords that are set by who has the token of a mailed link, and need not be signed in. */
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
      // The mail proves who is there, so guesses from elsewhere do not keep this person out of the log-in.
      await makeFamiliar(tx, before.id, ip, now())
    })
  }

  return {
    /**
     * Uses up the token, sets the password, and the name where one is given, and ends all sessions; or does nothing.
     * @throws DomainError `invalid` for any token that does not hold, without saying why; `weak-password`; `busy`
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
