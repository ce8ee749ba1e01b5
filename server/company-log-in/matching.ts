import { addAccount } from '../accounts/changes.ts'
import { mailLink } from '../accounts/email-confirmation.ts'
import { removedDetails, removeOlderThanConfirmation } from '../accounts/unconfirmed.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { addIdentity } from '../sign-in/identities.ts'
import { findOwnerOfIdentity, hasIdentity, isDisconnected, recordIdentityUse } from '../sign-in/identity-queries.ts'
import type { Origin } from '../users/access.ts'
import { endInvitation, findCredentials, lockUser, setPendingEmail, type User } from '../users/queries.ts'
import type { Person } from './claims.ts'

// Which account a person of the provider logs in to: docs/decisions/0037-company-accounts.md.

type Refusal = 'inactive' | 'not-verified' | 'no-account' | 'connect-first' | 'failed'

type Matched = { user: User } | { refusal: Refusal }

/** The account is locked. @throws a unique violation when another log-in made the account or the identity meanwhile */
export async function matchAccount(context: Context, tx: Tx, person: Person, origin: Origin): Promise<Matched> {
  const ownerId = await findOwnerOfIdentity(tx, person.issuer, person.subject)
  if (ownerId === undefined) return matchByAddress(context, tx, person, origin)
  const user = await lockUser(tx, ownerId)
  if (!user?.is_active) return refuse(context, tx, 'inactive', ownerId, origin)
  const isStill = await recordIdentityUse(tx, { ...person, user_id: user.id }, context.now())
  return isStill ? { user } : { refusal: 'failed' }
}

/** Of a person whose identity no account has. */
async function matchByAddress(context: Context, tx: Tx, person: Person, origin: Origin): Promise<Matched> {
  const { email, vouched, issuer, subject } = person
  if (email === null || vouched === undefined) return { refusal: 'not-verified' }
  const key = emailKey(email)
  const found = await findCredentials(tx, { emailKey: key })
  if (!found) return addPerson(context, tx, { ...person, email }, origin)
  const user = await lockUser(tx, found.user.id, { emailKey: key })
  if (!user) return { refusal: 'failed' }
  // Some domains differ only by letters whose lower case is the same.
  if (!isSameMailbox(user.email, email)) return { refusal: 'no-account' }
  if (!user.is_active) return refuse(context, tx, 'inactive', user.id, origin)
  if (user.is_invited) return acceptInvitation(context, tx, user, person, origin)
  if (
    user.email_confirmed_at === null ||
    (await hasIdentity(tx, user.id, issuer)) ||
    (await isDisconnected(tx, { user_id: user.id, issuer, subject }))
  )
    return refuse(context, tx, 'connect-first', user.id, origin)
  return connect(context, tx, user, user.email_confirmed_at, person, origin)
}

/** Sign-up. */
async function addPerson(
  context: Context,
  tx: Tx,
  person: Person & { email: string },
  { ip }: Origin,
): Promise<Matched> {
  const { config, now } = context
  const { email, name, vouched } = person
  if (config.signUp === 'closed') return { refusal: 'no-account' }
  const email_confirmed_at = vouched === 'by-provider' ? now() : null
  const user = await addAccount(context, tx, { email, full_name: name }, '', email_confirmed_at)
  await recordAudit(context, tx, { action: 'sign-up', actorId: user.id, ip, details: { method: 'oidc' } })
  await addIdentity(context, tx, user, person, { ip }, { isUsed: true, notice: 'identity-added' })
  if (config.confirmEmail && email_confirmed_at === null) await mailLink(context, tx, user, { ip })
  return { user }
}

async function acceptInvitation(
  context: Context,
  tx: Tx,
  before: User,
  person: Person,
  { ip }: Origin,
): Promise<Matched> {
  const confirmedAt = before.email_confirmed_at ?? (person.vouched === 'by-provider' ? context.now() : null)
  await deleteChallenges(tx, [before.id])
  await endInvitation(tx, before.id, confirmedAt)
  const user = { ...before, is_invited: false, email_confirmed_at: confirmedAt }
  await recordAudit(context, tx, { action: 'invitation-accept', actorId: user.id, ip, details: { method: 'oidc' } })
  await addIdentity(context, tx, user, person, { ip }, { isUsed: true, notice: 'identity-added' })
  return { user }
}

/**
 * Whoever has the mailbox gets the account, and nobody else keeps it: somebody may have made the account before its
 * owner confirmed the address.
 */
async function connect(
  context: Context,
  tx: Tx,
  before: User,
  confirmedAt: number,
  person: Person,
  { ip }: Origin,
): Promise<Matched> {
  await deleteSessionsOf(tx, before.id)
  await deleteChallenges(tx, [before.id])
  if (before.pending_email !== null) await setPendingEmail(tx, before.id, null)
  const removed = await removeOlderThanConfirmation(context, tx, before.id, confirmedAt)
  const details = { matched_by: 'address', ...removedDetails(removed) }
  const user = { ...before, pending_email: null }
  await addIdentity(context, tx, user, person, { ip }, { isUsed: true, notice: 'identity-matched', details })
  return { user }
}

async function refuse(
  context: Context,
  tx: Tx,
  refusal: 'inactive' | 'connect-first',
  subjectId: string,
  { ip }: Origin,
): Promise<Matched> {
  const details = { method: 'oidc' }
  await recordAudit(context, tx, { action: 'log-in', result: refusal, subjectId, ip, details })
  return { refusal }
}
