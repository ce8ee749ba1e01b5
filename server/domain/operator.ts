import { listAudit } from '../store/audit.ts'
import { takeAccountsLock } from '../store/locks.ts'
import type { Store, Tx } from '../store/store.ts'
import { findCredentials, hasUsers, lockUser, type User } from '../store/users.ts'
import { type AccountChanges, addAccount } from './account-changes.ts'
import { type Audit, SERVER } from './audit.ts'
import { emailKey, normalizeAddress } from '../lib/email-address.ts'
import { DomainError } from './errors.ts'
import type { Invitations, Invited } from './invitations.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { newToken } from './tokens.ts'

export type Operator = ReturnType<typeof createOperator>

/** The operator's commands, which need no account. */
export function createOperator(options: {
  store: Store
  passwords: Passwords
  policy: PasswordPolicy
  sessions: Sessions
  invitations: Invitations
  change: AccountChanges
  audit: Audit
  now: () => number
}) {
  const { store, passwords, policy, sessions, invitations, change, audit, now } = options

  async function find(address: string): Promise<User> {
    const found = await findCredentials(store.db, { emailKey: emailKey(address) })
    if (!found) throw new DomainError('not-found', 'User not found')
    return found.user
  }

  async function insertSuperuser(tx: Tx, email: string, passwordHash: string): Promise<User> {
    const facts = { email: normalizeAddress(email), full_name: null, is_superuser: true, is_active: true }
    const user = await addAccount(tx, facts, passwordHash, now())
    await audit.record(tx, { action: 'account-create', subjectId: user.id, ip: SERVER })
    return user
  }

  return {
    /**
     * Creates the first superuser of an empty database, once even if several servers start on it.
     * @param password generated if absent
     * @returns what to print for the operator; `undefined` when the database has accounts
     * @throws DomainError `weak-password`
     */
    async ensureFirstSuperuser(
      email: string,
      password: string | undefined,
    ): Promise<{ email: string; generatedPassword: string | undefined } | undefined> {
      if (await hasUsers(store.db)) return undefined
      if (password !== undefined) policy.require(password, { email }, 'password')
      const generatedPassword = password === undefined ? newPassword() : undefined
      const passwordHash = await passwords.hash(password ?? generatedPassword ?? '', SERVER)
      const made = await store.transaction(async (tx) => {
        await takeAccountsLock(tx)
        return (await hasUsers(tx)) ? undefined : insertSuperuser(tx, email, passwordHash)
      })
      return made && { email: made.email, generatedPassword }
    },

    /** @throws DomainError `conflict` when the address is taken; `weak-password` */
    async createSuperuser(email: string, password: string): Promise<User> {
      policy.require(password, { email }, 'password')
      const passwordHash = await passwords.hash(password, SERVER)
      return store.transaction((tx) => insertSuperuser(tx, email, passwordHash))
    },

    /**
     * Invites a user. One who is already invited gets another link and keeps name and role.
     * @returns the user, and the token to hand over if there is no mail server
     * @throws DomainError `conflict` for an existing account that is not invited; `too-many`
     */
    async invite(facts: { email: string; full_name: string | null; is_superuser: boolean }): Promise<Invited> {
      const email = normalizeAddress(facts.email)
      const by = { actorId: undefined, ip: SERVER }
      return store.transaction(async (tx) => {
        await takeAccountsLock(tx)
        const found = await findCredentials(tx, { emailKey: emailKey(email) })
        const user = found && (await lockUser(tx, found.user.id))
        return user ? invitations.resend(tx, user, by) : invitations.invite(tx, { ...facts, email }, by)
      })
    },

    /**
     * Also ends all sessions of the account and notifies its owner.
     * @throws DomainError `not-found`, `weak-password`
     */
    async setPassword(address: string, password: string): Promise<void> {
      const user = await find(address)
      policy.require(password, user, 'password')
      const passwordHash = await passwords.hash(password, SERVER)
      await store.transaction(async (tx) => {
        const before = await lockUser(tx, user.id)
        const by = { actorId: undefined, ip: SERVER, passwordAction: 'password-set' } as const
        if (before) await change(tx, before, { password_hash: passwordHash }, by)
      })
    },

    /** @throws DomainError `not-found` */
    async listSessions(address: string) {
      return sessions.list((await find(address)).id)
    },

    /** @returns the number of ended sessions @throws DomainError `not-found` */
    async endSessions(address: string): Promise<number> {
      const { id } = await find(address)
      return store.transaction(async (tx) => {
        await audit.record(tx, { action: 'sessions-end', subjectId: id, ip: SERVER })
        return sessions.endAll(tx, id)
      })
    },

    /** Newest first. */
    listAudit: (limit: number) => listAudit(store.db, {}, { limit }),
  }
}

/** A password to read from a screen and type: 132 random bits (ASVS 11.5.1 requires 128). */
export function newPassword(): string {
  return newToken().slice(0, 22)
}
