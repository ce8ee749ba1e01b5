import type { Config } from '../lib/config.ts'
import type { Store } from '../store/store.ts'
import { deleteUser, findCredentials, findUser, lockUser, type User } from '../store/users.ts'
import { type Actor, type Origin, refuseDeletionOfOneself } from './access.ts'
import { hashGroup } from '../lib/network-address.ts'
import { type AccountChanges, addAccount, columnsOf } from './account-changes.ts'
import { type Precondition, requirePrecondition } from './precondition.ts'
import type { Audit } from './audit.ts'
import { isSameMailbox } from '../lib/email-address.ts'
import { DomainError, sessionOver } from './errors.ts'
import type { Guesses } from './guesses.ts'
import type { Limits } from './limits.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'

export interface NewAccount {
  email: string
  password: string
  full_name?: string | null
}

interface ProfileChanges {
  email?: string
  full_name?: string | null
}

export function createAccounts(options: {
  store: Store
  passwords: Passwords
  policy: PasswordPolicy
  limits: Limits
  guesses: Guesses
  sessions: Sessions
  change: AccountChanges
  audit: Audit
  signUp: Config['signUp']
  now: () => number
}) {
  const { store, passwords, policy, limits, guesses, sessions, change, audit, signUp, now } = options

  /** @throws DomainError `invalid` for a wrong password, `too-many` after too many wrong ones, `busy` */
  async function verifyPassword(actor: Actor, password: string, passwordHash: string): Promise<void> {
    const { user, ip } = actor
    const guess = await guesses.atOwnPassword(actor)
    try {
      const matches = await passwords.matches(password, passwordHash, hashGroup(ip), () => guess.reserve())
      await store.transaction(async (tx) => {
        await guess.settle(tx, matches ? 'right' : 'wrong')
        if (!matches) {
          await audit.record(tx, { action: 'password-change', result: 'wrong-password', actorId: user.id, ip })
        }
      })
      if (matches) return
    } catch (error) {
      await guess.giveBack()
      throw error
    }
    throw new DomainError('invalid', 'Incorrect password')
  }

  /** @throws DomainError `conflict` */
  function requireOpenSignUp(): void {
    if (signUp === 'closed') throw new DomainError('conflict', 'Sign-up is closed')
  }

  return {
    requireOpenSignUp,

    /** Creates an active regular account. @throws DomainError `conflict`, `weak-password`, `too-many`, `busy` */
    async signUp({ ip }: Origin, { email, password, full_name = null }: NewAccount): Promise<User> {
      requireOpenSignUp()
      policy.require(password, { email, full_name }, 'password')
      await limits.signUp(ip)
      const passwordHash = await passwords.hash(password, hashGroup(ip))
      return store.transaction(async (tx) => {
        const user = await addAccount(
          tx,
          { email, full_name, is_superuser: false, is_active: true },
          passwordHash,
          now(),
        )
        await audit.record(tx, { action: 'sign-up', actorId: user.id, ip })
        return user
      })
    },

    /**
     * @param changes absent keys keep their value
     * @throws DomainError `conflict` when the address is taken; `precondition-failed`; `too-many` after too many
     * changes
     */
    async update(actor: Actor, changes: ProfileChanges, precondition: Precondition): Promise<User> {
      const { user, ip } = actor
      await limits.accountChange(user.id)
      if (changes.email !== undefined && !isSameMailbox(changes.email, user.email)) await limits.addressChange(user.id)
      const after = await store.transaction(async (tx) => {
        const before = await lockUser(tx, user.id)
        await sessions.requireStill(tx, actor)
        if (!before) return undefined
        requirePrecondition(before, precondition)
        const by = { actorId: user.id, ip, passwordAction: 'password-change' } as const
        return change(tx, before, columnsOf(pick(changes)), by)
      })
      if (!after) throw sessionOver()
      return after
    },

    /**
     * Keeps the current session and ends all others.
     * @throws DomainError `invalid` for a wrong current password or an equal new one; `weak-password`; `too-many` after
     * too many wrong ones; `busy`
     */
    async changePassword(actor: Actor, current: string, wanted: string): Promise<void> {
      const { user, sessionId, ip } = actor
      const found = await findCredentials(store.db, { id: user.id })
      if (!found) throw sessionOver()
      await verifyPassword(actor, current, found.passwordHash)
      if (wanted === current) throw new DomainError('invalid', 'New password cannot be the same as the current one')
      policy.require(wanted, user, 'new_password')

      const passwordHash = await passwords.hash(wanted, hashGroup(ip))
      await store.transaction(async (tx) => {
        const before = await lockUser(tx, user.id, { passwordHash: found.passwordHash })
        // The password was changed in the meantime.
        if (!before) throw new DomainError('invalid', 'Incorrect password')
        await sessions.requireStill(tx, actor)
        const by = { actorId: user.id, ip, passwordAction: 'password-change', keepSession: sessionId } as const
        await change(tx, before, { password_hash: passwordHash }, by)
      })
    },

    /**
     * Deletes the account with its items and sessions.
     * @throws DomainError `conflict` for a superuser; `precondition-failed`
     */
    async delete(actor: Actor, precondition: Precondition): Promise<void> {
      const { user, ip } = actor
      refuseDeletionOfOneself(actor, user.id)
      await store.transaction(async (tx) => {
        // Checked first, too, as the deletion may take long.
        requirePrecondition((await findUser(tx, user.id)) ?? user, precondition)
        const deleted = await deleteUser(tx, user.id, now(), () => sessions.requireStill(tx, actor))
        if (!deleted) throw sessionOver()
        requirePrecondition(deleted, precondition)
        await audit.record(tx, { action: 'account-delete', actorId: user.id, ip })
      })
    },
  }
}

/** Selects the keys that users may change in their own account. */
function pick({ email, full_name }: ProfileChanges) {
  return { ...(email !== undefined && { email }), ...(full_name !== undefined && { full_name }) }
}
