import { v7 as uuid } from 'uuid'
import { type AuditAction, changesOf, recordAudit } from '../audit/record.ts'
import { mayMailNotice } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { isUniqueFault } from '../platform/database/faults.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import { queueMail } from '../platform/mail/queue.ts'
import { beginCounts } from '../resources.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { deleteTokensOf } from '../tokens/queries.ts'
import { insertUser, type NewUser, updateUser, type User, type UserChanges } from '../users/queries.ts'

/** The actor of a change, and the audit action for a new password. */
export interface ChangedBy {
  actorId: string | undefined
  ip: string
  passwordAction: Extract<AuditAction, 'password-change' | 'password-set' | 'password-reset' | 'invitation-accept'>
  /** The session that a new password does not end. */
  keepSession?: string
}

/** Adds an account. @param passwordHash null to invite its owner @throws DomainError `conflict` when the address is taken */
export async function addAccount(
  { now }: Context,
  tx: Tx,
  facts: Pick<NewUser, 'email' | 'full_name' | 'is_active' | 'is_superuser'>,
  passwordHash: string | null,
): Promise<User> {
  const user = {
    ...facts,
    id: uuid(),
    email_key: emailKey(facts.email),
    password_hash: passwordHash,
    created_at: now(),
  }
  const added = await insertUser(tx, user).catch(refuseTakenAddress)
  await beginCounts(tx, [user.id])
  return added
}

/**
 * Changes an account that the transaction has locked, with all consequences. A new password or address invalidates links
 * and sends a mail. Deactivation invalidates an invitation. A new password, role or status ends sessions.
 * @param before the account as locked
 * @returns `undefined` when the account does not exist any more
 * @throws DomainError `conflict` when the address is taken
 */
export async function changeAccount(
  context: Context,
  tx: Tx,
  before: User,
  changes: UserChanges,
  by: ChangedBy,
): Promise<User | undefined> {
  const after = await updateUser(tx, before.id, changes).catch(refuseTakenAddress)
  if (!after) return undefined
  const record = (action: AuditAction, fields: readonly (keyof User)[] = []): Promise<void> => {
    const details = changesOf(before, after, fields)
    return recordAudit(context, tx, { action, actorId: by.actorId, subjectId: after.id, ip: by.ip, details })
  }
  const notify = async (kind: 'address-changed' | 'password-changed', address: string): Promise<void> => {
    if (await mayMailNotice(context, tx, kind, emailKey(address))) await queueMail(context, tx, kind, address, by.ip)
  }

  const newPassword = changes.password_hash !== undefined
  const newAddress = !isSameMailbox(before.email, after.email)
  const newRole = before.is_superuser !== after.is_superuser
  const newStatus = before.is_active !== after.is_active

  if (newPassword || newAddress) await deleteTokensOf(tx, after.id, ['password-reset'])
  if (newPassword || newAddress || !after.is_active) await deleteTokensOf(tx, after.id, ['invitation'])
  if (newRole || newStatus) await deleteSessionsOf(tx, after.id)
  else if (newPassword) await deleteSessionsOf(tx, after.id, by.keepSession)

  if (newAddress) await notify('address-changed', before.email)
  if (newPassword) await notify('password-changed', after.email)

  if (newPassword) await record(by.passwordAction)
  if (newAddress) await record('address-change', ['email'])
  if (newRole) await record('role-change', ['is_superuser'])
  if (newStatus) await record('status-change', ['is_active'])
  const newSpelling = !newAddress && before.email !== after.email
  if (before.full_name !== after.full_name || newSpelling)
    await record('account-change', newAddress ? ['full_name'] : ['full_name', 'email'])
  return after
}

function refuseTakenAddress(error: unknown): never {
  throw isUniqueFault(error) ? new DomainError('conflict', 'A user with this email already exists') : error
}

/** Adds the comparison key of the address. */
export function columnsOf<T extends { email?: string }>(given: T): T & { email_key?: string } {
  return given.email === undefined ? given : { ...given, email_key: emailKey(given.email) }
}
