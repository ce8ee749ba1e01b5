import { v7 as uuid } from 'uuid'
import type { Act } from '../sessions/change.ts'
import { changesOf } from '../audit/record.ts'
import type { UserCreate, UserUpdateMe } from '../contract/types.gen.ts'
import { forget, tryConsume } from '../limits/rules.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { CONFIRMATION_PURPOSES, INVITATION_PURPOSES, RESET_PURPOSES } from '../sign-in/challenges.ts'
import {
  deleteUsers,
  insertUser,
  profileFields,
  setFlags,
  updateUser,
  type User,
  type UserChanges,
} from '../users/queries.ts'
import {
  endAccess,
  endApiTokens,
  removedDetails,
  removeEarlierFactors,
  removeUnconfirmedFactors,
} from './unconfirmed.ts'

const LINKS = [...RESET_PURPOSES, 'log-in-link', ...INVITATION_PURPOSES, ...CONFIRMATION_PURPOSES] as const

/**
 * @param passwordHash null to invite the owner, empty for an account that needs no password
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
 * Sets the address of an account that the transaction has locked. A change to another mailbox ends the links of the
 * account, forgets the pending address, and sends a notice to the old address.
 * @throws DomainError `conflict` when the address is taken
 */
export async function setAddress(act: Act, before: User, email: string, isConfirmed = false): Promise<User> {
  if (email === before.email && !isConfirmed) return before
  const isNew = !isSameMailbox(before.email, email)
  const after = await update(act, before, {
    email,
    email_key: emailKey(email),
    ...(isNew && { email_confirmed_at: null, mail_refused_at: null, pending_email: null }),
    ...(isConfirmed && { email_confirmed_at: (isNew ? null : before.email_confirmed_at) ?? act.now() }),
  })
  if (isNew) {
    await deleteChallenges(act.tx, [before.id], LINKS)
    await act.notify('address-changed', before.email)
  }
  const details = changesOf(before, after, ['email'])
  if (details) act.audit(isNew ? 'address-change' : 'account-change', { subjectId: before.id, details })
  return after
}

export async function setProfile(act: Act, before: User, facts: Partial<Omit<UserUpdateMe, 'email'>>): Promise<User> {
  if (!changesOf(before, { ...before, ...facts }, profileFields)) return before
  const after = await update(act, before, facts)
  const details = changesOf(before, after, profileFields)
  if (details) act.audit('account-change', { subjectId: before.id, details })
  return after
}

interface NewPassword {
  hash: string
  keepSession?: string
  endTokens?: boolean
  /** Set if a link sets the password. A mailed link confirms the address. */
  link?: { action: 'password-reset' | 'invitation-accept'; isMailed: boolean }
}

/**
 * Sets the password of an account that the transaction has locked. This ends links, sessions, a pending address and, if
 * wanted, API tokens. It also removes factors that a stranger may have set up, unless the owner acts in a session: all,
 * if the address is not confirmed; for a mailed link, those from before the confirmation.
 * @returns the removed factors, if any
 */
export async function setPassword(act: Act, user: User, { hash, keepSession, endTokens = false, link }: NewPassword) {
  const { id, email, email_confirmed_at: confirmedAt } = user
  const at = act.now()
  const email_confirmed_at = confirmedAt ?? (link?.isMailed ? at : null)
  await update(act, user, { password_hash: hash, password_set_at: at, pending_email: null, email_confirmed_at })
  const isOwn = act.actor.user?.id === id
  const removals = isOwn
    ? undefined
    : confirmedAt === null
      ? await removeUnconfirmedFactors(act, [user])
      : link?.isMailed
        ? await removeEarlierFactors(act, id, confirmedAt)
        : undefined
  const removed = removals?.get(id)
  const ended = endTokens ? await endApiTokens(act, [id], removals) : removals
  await deleteChallenges(act.tx, [id], LINKS)
  await deleteSessionsOf(act.tx, [id], keepSession)
  await forgetWrongCodes(act, user, !isOwn && !link)
  await act.notify(removed ? 'factors-removed' : 'password-changed', email)
  const action = link?.action ?? (isOwn ? 'password-change' : 'password-set')
  act.audit(action, { subjectId: id, details: removedDetails(ended?.get(id)) })
  return removed
}

/**
 * Activates or deactivates accounts that the transaction has locked and that have the other status. This ends their
 * sessions. A deactivation also ends links, unfinished log-ins, API tokens, and the factors of accounts whose address
 * is not confirmed.
 */
export async function setStatus(act: Act, users: readonly User[], isActive: boolean): Promise<void> {
  const ids = users.map(({ id }) => id)
  await setFlags(act.tx, ids, 'is_active', isActive)
  await deleteSessionsOf(act.tx, ids)
  const removed = isActive ? undefined : await endAccess(act, users)
  for (const id of ids) {
    const details = { is_active: { from: !isActive, to: isActive }, ...removedDetails(removed?.get(id)) }
    act.audit('status-change', { subjectId: id, details })
  }
}

/**
 * Changes the role of accounts that the transaction has locked and that have the other role. This ends their sessions.
 * A promotion also ends their API tokens.
 */
export async function setRole(act: Act, users: readonly User[], isSuperuser: boolean): Promise<void> {
  const ids = users.map(({ id }) => id)
  await setFlags(act.tx, ids, 'is_superuser', isSuperuser)
  await deleteSessionsOf(act.tx, ids)
  const ended = isSuperuser ? await endApiTokens(act, ids) : undefined
  for (const id of ids) {
    const details = { is_superuser: { from: !isSuperuser, to: isSuperuser }, ...removedDetails(ended?.get(id)) }
    act.audit('role-change', { subjectId: id, details })
  }
}

/** Deletes accounts with all their data. @returns the ids of the accounts that existed */
export async function deleteAccounts({ tx, audit }: Act, ids: readonly string[]): Promise<Set<string>> {
  const deleted = new Set(ids.length === 0 ? [] : await deleteUsers(tx, ids))
  for (const subjectId of deleted) audit('account-delete', { subjectId })
  return deleted
}

/**
 * A new password ends the waits after wrong codes. A person who knows the password could use this to guess codes for
 * ever, so it works only a few times a day, unless an administrator sets the password.
 */
async function forgetWrongCodes(act: Act, { id: user }: User, isSetByAnother: boolean): Promise<void> {
  if (isSetByAnother || (await tryConsume(act, 'codesForgotten', { user })))
    await forget(act, ['codeInDay', 'code'], { user })
}

async function update({ tx }: Act, { id }: User, changes: UserChanges): Promise<User> {
  const after = await updateUser(tx, id, changes).catch(refuseTakenAddress)
  if (!after) throw new Error('An account that is locked is gone')
  return after
}

function refuseTakenAddress(error: unknown): never {
  if (isUniqueViolation(error)) refuseTaken()
  throw error
}

export function refuseTaken(): never {
  throw new DomainError('conflict', 'A user with this email already exists')
}
