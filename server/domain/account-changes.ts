import { v7 as uuid } from 'uuid'
import { isUniqueFault } from '../store/faults.ts'
import { deleteInvitationOf } from '../store/invitations.ts'
import { deleteResetTokenOf } from '../store/reset-tokens.ts'
import type { Tx } from '../store/store.ts'
import { insertUser, type NewUser, updateUser, type User, type UserChanges } from '../store/users.ts'
import type { Audit, AuditAction } from './audit.ts'
import { emailKey, isSameMailbox } from '../lib/email-address.ts'
import { DomainError } from './errors.ts'
import type { MailQueue } from './mail-queue.ts'
import type { Sessions } from './sessions.ts'

export type AccountChanges = ReturnType<typeof createAccountChanges>

/** The actor of a change, and the audit action for a new password. */
export interface ChangedBy {
  actorId: string | undefined
  ip: string
  passwordAction: Extract<AuditAction, 'password-change' | 'password-set' | 'password-reset' | 'invitation-accept'>
  /** The session that a new password does not end. */
  keepSession?: string
}

/** Adds an account. @throws DomainError `conflict` when the address is taken */
export async function addAccount(
  tx: Tx,
  facts: Pick<NewUser, 'email' | 'full_name' | 'is_active' | 'is_superuser'>,
  passwordHash: string,
  now: number,
): Promise<User> {
  return insertUser(tx, {
    ...facts,
    id: uuid(),
    email_key: emailKey(facts.email),
    password_hash: passwordHash,
    created_at: now,
  }).catch(refuseTakenAddress)
}

/** Changes accounts, with all consequences for sessions, tokens, mails and the audit log. */
export function createAccountChanges(options: { sessions: Sessions; audit: Audit; mails: MailQueue }) {
  const { sessions, audit, mails } = options

  /**
   * Changes an account that the transaction has locked. A new password or address invalidates links and sends a mail.
   * Deactivation invalidates an invitation. A new password, role or status ends sessions.
   * @param before the account as locked
   * @returns `undefined` when the account does not exist any more
   * @throws DomainError `conflict` when the address is taken
   */
  return async function change(tx: Tx, before: User, changes: UserChanges, by: ChangedBy): Promise<User | undefined> {
    const after = await updateUser(tx, before.id, changes).catch(refuseTakenAddress)
    if (!after) return undefined
    const record = (action: AuditAction): Promise<void> =>
      audit.record(tx, { action, actorId: by.actorId, subjectId: after.id, ip: by.ip })

    const newPassword = changes.password_hash !== undefined
    const newAddress = !isSameMailbox(before.email, after.email)
    const newRole = before.is_superuser !== after.is_superuser
    const newStatus = before.is_active !== after.is_active

    if (newPassword || newAddress) await deleteResetTokenOf(tx, after.id)
    if (newPassword || newAddress || !after.is_active) await deleteInvitationOf(tx, after.id)
    if (newRole || newStatus) await sessions.endAll(tx, after.id)
    else if (newPassword) await sessions.endAll(tx, after.id, by.keepSession)

    if (newAddress) await mails.addNotice(tx, 'address-changed', before.email, by.ip)
    if (newPassword) await mails.addNotice(tx, 'password-changed', after.email, by.ip)

    if (newPassword) await record(by.passwordAction)
    if (newAddress) await record('address-change')
    if (newRole) await record('role-change')
    if (newStatus) await record('status-change')
    const newSpelling = !newAddress && before.email !== after.email
    if (before.full_name !== after.full_name || newSpelling) await record('account-change')
    return after
  }
}

function refuseTakenAddress(error: unknown): never {
  throw isUniqueFault(error) ? new DomainError('conflict', 'A user with this email already exists') : error
}

/** Adds the comparison key of the address. */
export function columnsOf<T extends { email?: string }>(given: T): T & { email_key?: string } {
  return given.email === undefined ? given : { ...given, email_key: emailKey(given.email) }
}
