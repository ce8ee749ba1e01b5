import { takeAccountsLock } from '../store/locks.ts'
import type { Page, PageOf } from '../store/page.ts'
import type { Store, Tx } from '../store/store.ts'
import {
  countUsersByStatus,
  deleteUser,
  findUser,
  hasOtherActiveSuperuser,
  listUsers,
  lockUser,
  streamUsers,
  type User,
  type UserCounts,
  type UserSort,
  type UsersQuery,
} from '../store/users.ts'
import { type Actor, refuseDeletionOfOneself, requireAccess } from './access.ts'
import { hashGroup } from '../lib/network-address.ts'
import { type AccountChanges, addAccount, columnsOf } from './account-changes.ts'
import type { NewAccount } from './accounts.ts'
import { type Precondition, requirePrecondition } from './precondition.ts'
import type { Audit } from './audit.ts'
import { DomainError } from './errors.ts'
import type { Invitations, Invited } from './invitations.ts'
import type { Exports, ExportTarget } from './exports.ts'
import { isShortRead, type ListRequest, toListQuery } from './list-query.ts'
import type { MailQueue } from './mail-queue.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { Passwords } from './passwords.ts'
import type { Reads } from './reads.ts'
import type { Session, Sessions } from './sessions.ts'

/** Changes by an administrator. Absent keys keep their value. */
export interface AccountUpdate {
  email?: string
  full_name?: string | null
  password?: string
  is_active?: boolean
  is_superuser?: boolean
}

export interface UsersRequest extends ListRequest<UserSort> {
  role?: UsersQuery['role']
  status?: UsersQuery['status']
  idle_days?: number | undefined
}

const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 500

export function createAdministration(options: {
  store: Store
  passwords: Passwords
  policy: PasswordPolicy
  sessions: Sessions
  invitations: Invitations
  change: AccountChanges
  audit: Audit
  mails: MailQueue
  reads: Reads
  exports: Exports
  now: () => number
}) {
  const { store, passwords, policy, sessions, invitations, change, audit, mails, reads, exports, now } = options

  function queryOf({ role, status, idle_days, ...given }: UsersRequest): UsersQuery {
    const idleSince = idle_days === undefined ? undefined : now() - idle_days * DAY_MS
    return { ...toListQuery<UserSort>(given), role, status, idleSince }
  }

  /**
   * Runs one change by an administrator at a time, so that two superusers cannot remove each other and one who was
   * removed while waiting changes nothing.
   */
  async function inTurn<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    requireAccess(actor, 'superuser')
    return store.transaction(async (tx) => {
      await takeAccountsLock(tx)
      await sessions.requireStill(tx, actor)
      return work(tx)
    })
  }

  return {
    /** @throws DomainError `forbidden`, `busy` */
    async list(actor: Actor, given: UsersRequest, page: Page, signal?: AbortSignal): Promise<PageOf<User>> {
      requireAccess(actor, 'superuser')
      const query = queryOf(given)
      if (isShortRead(given, page)) return listUsers(store.db, query, page)
      return reads.run(actor.user.id, (db) => listUsers(db, query, page), signal)
    },

    /** @throws DomainError `forbidden`, `busy` */
    async countByStatus(actor: Actor, signal?: AbortSignal): Promise<UserCounts> {
      requireAccess(actor, 'superuser')
      return reads.run(actor.user.id, countUsersByStatus, signal)
    },

    /** All matching users, in parts. @throws DomainError `forbidden`, and as `Exports.run` */
    async export(actor: Actor, given: UsersRequest, target: ExportTarget<User>): Promise<void> {
      requireAccess(actor, 'superuser')
      await exports.run(actor, 'users-export', (db) => streamUsers(db, queryOf(given), ROWS_AT_ONCE), target)
    },

    /** @throws DomainError `forbidden`, `not-found` */
    async read(actor: Actor, id: string): Promise<User> {
      requireAccess(actor, 'self-or-superuser', id)
      return (await findUser(store.db, id)) ?? notFound()
    },

    /**
     * Creates an account and mails its owner a link to set a password.
     * @throws DomainError `conflict`, `weak-password`, `busy`
     */
    async create(actor: Actor, given: NewAccount & { is_active?: boolean; is_superuser?: boolean }): Promise<User> {
      requireAccess(actor, 'superuser')
      const { email, password, full_name = null, is_active = true, is_superuser = false } = given
      policy.require(password, { email, full_name }, 'password')
      const { ip } = actor
      const passwordHash = await passwords.hash(password, hashGroup(ip))
      return inTurn(actor, async (tx) => {
        const user = await addAccount(tx, { email, full_name, is_superuser, is_active }, passwordHash, now())
        await mails.add(tx, 'account-created', email, ip)
        await audit.record(tx, { action: 'account-create', actorId: actor.user.id, subjectId: user.id, ip })
        return user
      })
    },

    /**
     * Creates an account without a password, and mails its owner a link to choose one.
     * @throws DomainError `conflict` when the address is taken; `too-many`
     */
    async invite(
      actor: Actor,
      { email, full_name = null, is_superuser = false }: Omit<NewAccount, 'password'> & { is_superuser?: boolean },
    ): Promise<Invited> {
      const by = { actorId: actor.user.id, ip: actor.ip }
      return inTurn(actor, (tx) => invitations.invite(tx, { email, full_name, is_superuser }, by))
    },

    /** @throws DomainError `not-found`; `conflict` for an account that has a password or is inactive; `too-many` */
    async resendInvitation(actor: Actor, id: string): Promise<Invited> {
      const by = { actorId: actor.user.id, ip: actor.ip }
      return inTurn(actor, async (tx) => invitations.resend(tx, (await lockUser(tx, id)) ?? notFound(), by))
    },

    /**
     * A new password, role or status ends the sessions of the account.
     * @throws DomainError `not-found`; `conflict` when the address is taken, or no active superuser would be left;
     * `precondition-failed`; `weak-password`; `busy`
     */
    async update(actor: Actor, id: string, given: AccountUpdate, precondition: Precondition): Promise<User> {
      requireAccess(actor, 'superuser')
      const { password, ...rest } = given
      const found = (await findUser(store.db, id)) ?? notFound()
      if (password !== undefined) policy.require(password, { ...found, ...rest }, 'password')
      const passwordHash = password === undefined ? undefined : await passwords.hash(password, hashGroup(actor.ip))
      return inTurn(actor, async (tx) => {
        const before = (await lockUser(tx, id)) ?? notFound()
        requirePrecondition(before, precondition)
        const keeps = (rest.is_active ?? before.is_active) && (rest.is_superuser ?? before.is_superuser)
        if (!keeps) await requireAnother(tx, before)
        const changes = { ...columnsOf(pick(rest)), ...(passwordHash !== undefined && { password_hash: passwordHash }) }
        const by = { actorId: actor.user.id, ip: actor.ip, passwordAction: 'password-set' } as const
        return (await change(tx, before, changes, by)) ?? notFound()
      })
    },

    /** The sessions of an account, as `sessions.list` returns them. @throws DomainError `forbidden`, `not-found` */
    async listSessions(actor: Actor, id: string): Promise<PageOf<Session>> {
      requireAccess(actor, 'superuser')
      if (!(await findUser(store.db, id))) notFound()
      return sessions.list(id)
    },

    /** For the own account, this includes the current session. @throws DomainError `not-found` */
    async endSessions(actor: Actor, id: string): Promise<void> {
      await inTurn(actor, async (tx) => {
        if (!(await lockUser(tx, id))) notFound()
        await sessions.endAll(tx, id)
        await audit.record(tx, { action: 'sessions-end', actorId: actor.user.id, subjectId: id, ip: actor.ip })
      })
    },

    /**
     * @throws DomainError `not-found`; `conflict` for the own account or the last active superuser;
     * `precondition-failed`
     */
    async delete(actor: Actor, id: string, precondition: Precondition): Promise<void> {
      requireAccess(actor, 'superuser')
      refuseDeletionOfOneself(actor, id)
      await inTurn(actor, async (tx) => {
        const before = (await findUser(tx, id)) ?? notFound()
        // Checked first, too, as the deletion may take long.
        requirePrecondition(before, precondition)
        await requireAnother(tx, before)
        requirePrecondition((await deleteUser(tx, id, now())) ?? notFound(), precondition)
        await audit.record(tx, { action: 'account-delete', actorId: actor.user.id, subjectId: id, ip: actor.ip })
      })
    },
  }
}

/** @throws DomainError `conflict` for the last active superuser */
async function requireAnother(tx: Tx, { id, is_active, is_superuser, is_invited }: User): Promise<void> {
  if (!is_active || !is_superuser || is_invited) return
  if (!(await hasOtherActiveSuperuser(tx, id))) {
    throw new DomainError('conflict', 'The last active superuser cannot be deleted, demoted or deactivated')
  }
}

function notFound(): never {
  throw new DomainError('not-found', 'User not found')
}

function pick({ email, full_name, is_active, is_superuser }: AccountUpdate) {
  return {
    ...(email !== undefined && { email }),
    ...(full_name !== undefined && { full_name }),
    ...(is_active !== undefined && { is_active }),
    ...(is_superuser !== undefined && { is_superuser }),
  }
}
