import { v7 as uuid } from 'uuid'
import { type Act, change } from '../sessions/change.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import type { SessionActor } from '../users/access.ts'
import { hasPassword, type User } from '../users/queries.ts'
import type { NoticeKind } from '../notices/mails.ts'
import { deleteChallenges } from './challenge-queries.ts'
import {
  deleteDisconnection,
  deleteIdentity,
  hasIdentity,
  insertDisconnection,
  insertIdentity,
  listIdentities,
} from './identity-queries.ts'
import { hasPasskeys } from './relying-party.ts'
import { readFactors } from './second-factor-queries.ts'

// An identity is a company account that is connected to an account: docs/decisions/0037-company-accounts.md.

export const MAX_IDENTITIES = 10

/** `issuer` and `subject` together identify a person at a provider. Nothing else does. */
export interface ProvedIdentity {
  issuer: string
  subject: string
  /** The address at the provider when the identity was connected, used only for display. */
  email: string | null
}

export async function describeIdentities({ store: { db } }: Context, userId: string) {
  return { data: await listIdentities(db, userId), hasPassword: await hasPassword(db, userId) }
}

/** The transaction has locked the account. @throws a unique violation when an account has the identity */
export async function addIdentity(
  act: Act,
  user: User,
  { issuer, subject, email }: ProvedIdentity,
  { isUsed, notice, details }: { isUsed: boolean; notice: NoticeKind; details?: Record<string, unknown> },
): Promise<void> {
  const at = act.now()
  const last_used_at = isUsed ? at : null
  await insertIdentity(act.tx, { id: uuid(), user_id: user.id, issuer, subject, email, created_at: at, last_used_at })
  await deleteDisconnection(act.tx, { user_id: user.id, issuer, subject })
  act.audit('identity-create', { actorId: user.id, details: { issuer, email, ...details } })
  await act.notify(notice, user.email)
}

/**
 * Sessions that began with the identity stay valid.
 * @throws DomainError `not-found`; `conflict` if no way to log in would be left
 */
export async function removeOwnIdentity(context: Context, actor: SessionActor, id: string): Promise<void> {
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    const { user } = act.actor
    await removeIdentity(act, user, id)
    await requireWayIn(act, user)
  })
}

/**
 * Removes an identity. Afterwards a log-in with the same address does not connect it again.
 * @param user locked by this transaction
 * @throws DomainError `not-found`
 */
export async function removeIdentity(act: Act, user: User, id: string): Promise<void> {
  const removed = await deleteIdentity(act.tx, id, user.id)
  if (!removed) throw new DomainError('not-found', 'Identity not found')
  // A log-in with this identity may have begun.
  await deleteChallenges(act.tx, [user.id], ['oidc', 'oidc-log-in'])
  const { issuer, subject, email } = removed
  await insertDisconnection(act.tx, { user_id: user.id, issuer, subject })
  act.audit('identity-delete', { subjectId: user.id, details: { issuer, email } })
  await act.notify('identity-removed', user.email)
}

/** Called after a way to log in was removed. @throws DomainError `conflict` if it was the last one */
export async function requireWayIn(act: Act, user: User): Promise<void> {
  const { config } = act
  if (config.passwordLogIn && (await hasPassword(act.tx, user.id))) return
  if (hasPasskeys(act) && (await readFactors(act.tx, user.id)).passkeys > 0) return
  if (config.oidc && (await hasIdentity(act.tx, user.id, config.oidc.issuer))) return
  throw new DomainError('conflict', 'Set a password or add a passkey first')
}
