import type { User } from './queries.ts'
import { DomainError } from '../platform/errors.ts'

/** The network address of a request, or `server` for the operator. */
export interface Origin {
  ip: string
}

export interface Device extends Origin {
  userAgent: string | undefined
}

export interface Actor extends Origin {
  sessionId: string
  user: User
}

/** A permission beyond being logged in. The contract names it in the `security` of an operation. */
export type Access = 'superuser' | 'self-or-superuser'

/**
 * Only superusers administer users. Only the owner and superusers read an account or learn whether it exists.
 * @param userId the account that the operation is about, if any
 * @throws DomainError `forbidden`
 */
export function requireAccess({ user }: Actor, access: Access, userId?: string): void {
  const isSelf = access === 'self-or-superuser' && userId === user.id
  if (!user.is_superuser && !isSelf) throw new DomainError('forbidden', "The user doesn't have enough privileges")
}

/** Whose things an account sees and changes: `undefined` is everybody's. Queries take it as a condition. */
export function visibleOwner(actor: Actor): string | undefined {
  return actor.user.is_superuser ? undefined : actor.user.id
}

/** Superusers cannot delete themselves. @throws DomainError `conflict` */
export function refuseDeletionOfOneself(actor: Actor, userId: string): void {
  if (userId === actor.user.id && actor.user.is_superuser) {
    throw new DomainError('conflict', 'Superusers are not allowed to delete themselves')
  }
}
