import type { Act } from '../sessions/change.ts'
import { addAccount } from '../accounts/changes.ts'
import { mailLink } from '../accounts/email-confirmation.ts'
import { removedDetails, removeOlderThanConfirmation } from '../accounts/unconfirmed.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { addIdentity } from '../sign-in/identities.ts'
import { findOwnerOfIdentity, hasIdentity, isDisconnected, recordIdentityUse } from '../sign-in/identity-queries.ts'
import { endInvitation, findCredentials, lockUser, setPendingEmail, type User } from '../users/queries.ts'
import type { Person } from './claims.ts'

// Finds the account to which a person logs in with a company account: docs/decisions/0037-company-accounts.md.

type Matched = { user: User } | { refusal: 'inactive' | 'not-verified' | 'no-account' | 'connect-first' | 'failed' }

/** Locks the account. @throws a unique violation when another log-in made the account or the identity meanwhile */
export async function matchAccount(act: Act, person: Person): Promise<Matched> {
  const ownerId = await findOwnerOfIdentity(act.tx, person.issuer, person.subject)
  if (ownerId === undefined) return matchByAddress(act, person)
  const user = await lockUser(act.tx, ownerId)
  if (!user?.is_active) return refuse(act, 'inactive', ownerId)
  const isStill = await recordIdentityUse(act.tx, { ...person, user_id: user.id }, act.now())
  return isStill ? { user } : { refusal: 'failed' }
}

async function matchByAddress(act: Act, person: Person): Promise<Matched> {
  const { email, vouched, issuer, subject } = person
  if (email === null || vouched === undefined) return { refusal: 'not-verified' }
  const key = emailKey(email)
  const found = await findCredentials(act.tx, { emailKey: key })
  if (!found) return addPerson(act, { ...person, email })
  const user = await lockUser(act.tx, found.user.id, { emailKey: key })
  if (!user) return { refusal: 'failed' }
  // Another log-in of this person may have made the account after the identity was not found.
  if ((await findOwnerOfIdentity(act.tx, issuer, subject)) === user.id) return matchAccount(act, person)
  // Different domains may have the same `emailKey` (RFC 5894, 7.2).
  if (!isSameMailbox(user.email, email)) return { refusal: 'no-account' }
  if (!user.is_active) return refuse(act, 'inactive', user.id)
  if (user.is_invited) return acceptInvitation(act, user, person)
  if (
    user.email_confirmed_at === null ||
    (await hasIdentity(act.tx, user.id, issuer)) ||
    (await isDisconnected(act.tx, { user_id: user.id, issuer, subject }))
  )
    return refuse(act, 'connect-first', user.id)
  return connect(act, user, user.email_confirmed_at, person)
}

async function addPerson(act: Act, person: Person & { email: string }): Promise<Matched> {
  const { config, now } = act
  const { email, name, vouched } = person
  if (config.signUp === 'closed') return { refusal: 'no-account' }
  const email_confirmed_at = vouched === 'by-provider' ? now() : null
  const user = await addAccount(act, { email, full_name: name }, '', email_confirmed_at)
  act.audit('sign-up', { actorId: user.id, details: { method: 'oidc' } })
  await addIdentity(act, user, person, { isUsed: true, notice: 'identity-added' })
  if (config.confirmEmail && email_confirmed_at === null) await mailLink(act, user)
  return { user }
}

async function acceptInvitation(act: Act, before: User, person: Person): Promise<Matched> {
  const confirmedAt = before.email_confirmed_at ?? (person.vouched === 'by-provider' ? act.now() : null)
  await deleteChallenges(act.tx, [before.id])
  await endInvitation(act.tx, before.id, confirmedAt)
  const user = { ...before, is_invited: false, email_confirmed_at: confirmedAt }
  act.audit('invitation-accept', { actorId: user.id, details: { method: 'oidc' } })
  await addIdentity(act, user, person, { isUsed: true, notice: 'identity-added' })
  return { user }
}

/** Connects the identity, and removes what a stranger may have set up before the address was confirmed. */
async function connect(act: Act, before: User, confirmedAt: number, person: Person): Promise<Matched> {
  await deleteSessionsOf(act.tx, [before.id])
  await deleteChallenges(act.tx, [before.id])
  if (before.pending_email !== null) await setPendingEmail(act.tx, before.id, null)
  const removed = await removeOlderThanConfirmation(act, before.id, confirmedAt)
  const details = { matched_by: 'address', ...removedDetails(removed) }
  const user = { ...before, pending_email: null }
  await addIdentity(act, user, person, { isUsed: true, notice: 'identity-matched', details })
  return { user }
}

async function refuse(act: Act, refusal: 'inactive' | 'connect-first', subjectId: string): Promise<Matched> {
  act.audit('log-in', { result: refusal, subjectId, details: { method: 'oidc' } })
  return { refusal }
}
