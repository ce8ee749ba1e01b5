import { v7 as uuid } from 'uuid'
import type { Act } from '../sessions/change.ts'
import { type AuditAction, changesOf } from '../audit/record.ts'
import type { UserCreate, UserUpdateMe } from '../contract/types.gen.ts'
import { forget, tryConsume } from '../limits/rules.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { CONFIRMATIONS, INVITATIONS, RESETS } from '../sign-in/challenges.ts'
import { insertUser, updateUser, type User, type UserChanges } from '../users/queries.ts'
import {
  endAccess,
  endApiTokens,
  type Removed,
  removedDetails,
  removePrepared,
  removeUnconfirmed,
} from './unconfirmed.ts'

/** How an account is changed. */
export interface ChangeOptions {
  /** The audit action for a new password. */
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
  { now, tx }: Act,
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
  act: Act,
  before: User,
  changes: UserChanges,
  { passwordAction, keepSession, endTokens = false, isMailed = false }: ChangeOptions,
): Promise<Changed | undefined> {
  const newAddress = changes.email !== undefined && !isSameMailbox(before.email, changes.email)
  const newPassword = changes.password_hash !== undefined
  const confirmedAt = newAddress ? null : before.email_confirmed_at
  const at = act.now()
  const email_confirmed_at = confirmedAt ?? (isMailed ? at : null)
  const after = await updateUser(act.tx, before.id, {
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
  ): void => {
    const changed = changesOf(before, after, fields)
    const details = more ? { ...changed, ...more } : changed
    act.audit(action, { subjectId: after.id, details })
  }

  const newRole = before.is_superuser !== after.is_superuser
  const newStatus = before.is_active !== after.is_active

  const isDeactivated = newStatus && !after.is_active
  const isByAnother = newPassword && passwordAction !== 'password-change' && act.actor.user?.id !== after.id
  const now = [{ ...after, email_confirmed_at: confirmedAt }]
  const removals = isDeactivated
    ? await endAccess(act, now)
    : isByAnother && confirmedAt === null
      ? await removeUnconfirmed(act, now)
      : newPassword && isMailed && confirmedAt !== null
        ? await removePrepared(act, after.id, confirmedAt)
        : undefined
  const removed = removals?.get(after.id)
  const isPromoted = newRole && after.is_superuser
  const endsTokens = isPromoted || (newPassword && endTokens)
  const ended = endsTokens ? await endApiTokens(act, [after.id], removals) : removals

  if (newPassword || newAddress) await deleteChallenges(act.tx, [after.id], LINKS)
  if (newRole || newStatus) await deleteSessionsOf(act.tx, after.id)
  else if (newPassword) await deleteSessionsOf(act.tx, after.id, keepSession)

  if (newPassword) await forgetWrongCodes(act, after, passwordAction === 'password-set')
  if (newAddress) await act.notify('address-changed', before.email)
  const notice = removed && !isDeactivated ? 'factors-removed' : 'password-changed'
  if (newPassword) await act.notify(notice, after.email)

  const details = removedDetails(ended?.get(after.id))
  if (newPassword) record(passwordAction, [], isDeactivated ? undefined : details)
  if (newAddress) record('address-change', ['email'])
  if (newRole) record('role-change', ['is_superuser'], newPassword || isDeactivated ? undefined : details)
  if (newStatus) record('status-change', ['is_active'], isDeactivated ? details : undefined)
  const newSpelling = !newAddress && before.email !== after.email
  if (newSpelling || profile.some((field) => before[field] !== after[field]))
    record('account-change', newAddress ? profile : [...profile, 'email'])
  return { user: after, removed }
}

/**
 * A new password ends the attempts of those who knew the old one. Who has the password or the mailbox, but not the second
 * factor, must not get more of them by changing the password again and again.
 */
async function forgetWrongCodes(act: Act, { id: user }: User, isSetByAnother: boolean): Promise<void> {
  if (isSetByAnother || (await tryConsume(act, 'codesForgotten', { user })))
    await forget(act, ['codeInDay', 'code'], { user })
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
