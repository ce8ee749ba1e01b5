import { v7 as uuid } from 'uuid'
import { type AuditAction, changesOf, recordAudit } from '../audit/record.ts'
import type { UserCreate, UserUpdateMe } from '../contract/types.gen.ts'
import { forget, tryConsume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { CONFIRMATIONS, INVITATIONS, RESETS } from '../sign-in/challenges.ts'
import { notify } from '../sign-in/notices.ts'
import { insertUser, updateUser, type User, type UserChanges } from '../users/queries.ts'
import {
  endAccess,
  endApiTokens,
  type Removed,
  removedDetails,
  removePrepared,
  removeUnconfirmed,
} from './unconfirmed.ts'

/** The actor of a change, and the audit action for a new password. */
export interface ChangedBy {
  actorId: string | undefined
  /** The name of the API token of a program. */
  token?: string | undefined
  ip: string
  passwordAction: Extract<AuditAction, 'password-change' | 'password-set' | 'password-reset' | 'invitation-accept'>
  /** The session that a new password does not end. */
  keepSession?: string
  /** Whether a new password ends the API tokens. */
  endTokens?: boolean
  /** Whether a link that was mailed to the address made the change, which confirms the address. */
  isMailed?: boolean
}

export interface Changed {
  user: User
  /** What was removed, as the address was not confirmed. */
  removed: Removed | undefined
}

/** What a new password or address ends. */
const LINKS = [...RESETS, 'log-in-link', ...INVITATIONS, ...CONFIRMATIONS] as const

const profileFields: Record<Exclude<keyof UserUpdateMe, 'email'>, true> = { full_name: true }
/** What people change of their own account, except the address. */
const profile = Object.keys(profileFields) as (keyof typeof profileFields)[]

/**
 * Adds an account.
 * @param passwordHash null to invite its owner, empty for an account that needs none
 * @throws DomainError `conflict` when the address is taken
 */
export async function addAccount(
  { now }: Context,
  tx: Tx,
  facts: Omit<UserCreate, 'password'>,
  passwordHash: string | null,
  email_confirmed_at: number | null = null,
): Promise<User> {
  const user = {
    is_active: true,
    is_superuser: false,
    ...facts,
    id: uuid(),
    email_key: emailKey(facts.email),
    password_hash: passwordHash,
    email_confirmed_at,
    created_at: now(),
  }
  return insertUser(tx, user).catch(refuseTakenAddress)
}

/**
 * Changes an account that the transaction has locked, with all consequences. A new password or address invalidates links,
 * forgets a pending address and sends a mail. Deactivation ends all that was begun. A new password, role or status ends
 * sessions; deactivation and promotion end API tokens, a new password if wanted. Until the address is confirmed, a new
 * password by somebody else and deactivation remove factors and API tokens.
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
): Promise<Changed | undefined> {
  const newAddress = changes.email !== undefined && !isSameMailbox(before.email, changes.email)
  const newPassword = changes.password_hash !== undefined
  const confirmedAt = newAddress ? null : before.email_confirmed_at
  const at = context.now()
  const email_confirmed_at = confirmedAt ?? (by.isMailed ? at : null)
  const after = await updateUser(tx, before.id, {
    ...changes,
    email_confirmed_at,
    ...(newPassword && { password_set_at: at }),
    ...(newAddress && { mail_refused_at: null }),
    ...((newAddress || newPassword || changes.is_active === false) && { pending_email: null }),
  }).catch(refuseTakenAddress)
  if (!after) return undefined
  const record = (
    action: AuditAction,
    fields: readonly (keyof User)[] = [],
    more?: ReturnType<typeof removedDetails>,
  ): Promise<void> => {
    const changed = changesOf(before, after, fields)
    const details = more ? { ...changed, ...more } : changed
    return recordAudit(context, tx, {
      action,
      actorId: by.actorId,
      token: by.token,
      subjectId: after.id,
      ip: by.ip,
      details,
    })
  }

  const newRole = before.is_superuser !== after.is_superuser
  const newStatus = before.is_active !== after.is_active

  const isDeactivated = newStatus && !after.is_active
  const isByAnother = newPassword && by.passwordAction !== 'password-change' && by.actorId !== after.id
  const now = [{ ...after, email_confirmed_at: confirmedAt }]
  const removals = isDeactivated
    ? await endAccess(context, tx, now, by)
    : isByAnother && confirmedAt === null
      ? await removeUnconfirmed(context, tx, now)
      : newPassword && by.isMailed && confirmedAt !== null
        ? await removePrepared(context, tx, after.id, confirmedAt)
        : undefined
  const removed = removals?.get(after.id)
  const isPromoted = newRole && after.is_superuser
  const endsTokens = isPromoted || (newPassword && by.endTokens === true)
  const ended = endsTokens ? await endApiTokens(context, tx, [after.id], removals) : removals

  if (newPassword || newAddress) await deleteChallenges(tx, [after.id], LINKS)
  if (newRole || newStatus) await deleteSessionsOf(tx, after.id)
  else if (newPassword) await deleteSessionsOf(tx, after.id, by.keepSession)

  if (newPassword) await forgetWrongCodes(context, tx, after, by)
  if (newAddress) await notify(context, tx, 'address-changed', before.email, by.ip)
  const notice = removed && !isDeactivated ? 'factors-removed' : 'password-changed'
  if (newPassword) await notify(context, tx, notice, after.email, by.ip)

  const details = removedDetails(ended?.get(after.id))
  if (newPassword) await record(by.passwordAction, [], isDeactivated ? undefined : details)
  if (newAddress) await record('address-change', ['email'])
  if (newRole) await record('role-change', ['is_superuser'], newPassword || isDeactivated ? undefined : details)
  if (newStatus) await record('status-change', ['is_active'], isDeactivated ? details : undefined)
  const newSpelling = !newAddress && before.email !== after.email
  if (newSpelling || profile.some((field) => before[field] !== after[field]))
    await record('account-change', newAddress ? profile : [...profile, 'email'])
  return { user: after, removed }
}

/**
 * A new password ends the attempts of those who knew the old one. Who has the password or the mailbox, but not the second
 * factor, must not get more of them by changing the password again and again.
 */
async function forgetWrongCodes(context: Context, tx: Tx, { id: user }: User, by: ChangedBy): Promise<void> {
  if (by.passwordAction === 'password-set' || (await tryConsume(context, tx, 'codesForgotten', { user })))
    await forget(context, tx, ['codeInDay', 'code'], { user })
}

function refuseTakenAddress(error: unknown): never {
  if (isUniqueViolation(error)) refuseTaken()
  throw error
}

/** @throws DomainError `conflict` */
export function refuseTaken(): never {
  throw new DomainError('conflict', 'A user with this email already exists')
}

/** Adds the comparison key of the address. */
export function columnsOf<T extends { email?: string }>(given: T): T & { email_key?: string } {
  return given.email === undefined ? given : { ...given, email_key: emailKey(given.email) }
}
