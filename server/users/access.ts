import { DomainError } from '../platform/errors.ts'
import type { ApiTokenScope } from '../tables.ts'
import type { Versioned } from '../platform/precondition.ts'
import { type User, versionOfUser } from './queries.ts'

export interface Origin {
  ip: string
}

export interface Device extends Origin {
  userAgent: string | undefined
}

export interface SessionActor extends Origin {
  isOperator?: undefined
  sessionId: string
  token?: undefined
  /** When the person last authenticated. */
  authenticatedAt: number
  /** Set by `requireRecentLogIn` of server/sessions/checks.ts. */
  mustBeFresh?: true
  user: User
}

/** A program with an API token. It may do less than its account: docs/decisions/0038-api-tokens.md. */
export interface TokenActor extends Origin {
  isOperator?: undefined
  sessionId?: undefined
  token: { id: string; name: string; scope: ApiTokenScope }
  user: User
}

export type AccountActor = SessionActor | TokenActor

interface Visitor extends Origin {
  isOperator?: undefined
  sessionId?: undefined
  token?: undefined
  user?: undefined
}

export interface OperatorActor extends Omit<Visitor, 'isOperator'> {
  isOperator: true
}

export type Actor = AccountActor | OperatorActor

export type AnyActor = Actor | Visitor

/** The operator has this text in place of a network address. */
export const SERVER = 'server'

export const OPERATOR: OperatorActor = { isOperator: true, ip: SERVER }

export type Access = 'superuser' | 'self-or-superuser'

/**
 * Only superusers and the operator administer users. Only the owner and superusers read an account or learn whether it
 * exists. This is checked twice: by the scopes of the contract before the body is read, so that 401 and 403 come before
 * 422, and by the rules, which do not rely on their callers.
 * @param userId the account that the operation is about, if any
 * @throws DomainError `forbidden`
 */
export function requireAccess({ user, isOperator }: AnyActor, access: Access, userId?: string): void {
  if (isOperator) return
  const isSelf = access === 'self-or-superuser' && userId !== undefined && userId === user?.id
  if (!user?.is_superuser && !isSelf) throw new DomainError('forbidden', "The user doesn't have enough privileges")
}

/**
 * Returns the owner whose rows the actor sees and changes; `undefined` for the rows of all owners.
 *
 * @public Resources use it.
 */
export function visibleOwner(actor: AccountActor): string | undefined {
  return actor.user.is_superuser ? undefined : actor.user.id
}

/** The error of operations that no API token may call, whatever its scope. */
export function notForTokens(): DomainError {
  return new DomainError('forbidden', 'Tokens cannot do this')
}

/** Returns what `viewer` may see of `user`. Only superusers learn whether mails arrive. */
export function visibleTo(viewer: User, user: User): Versioned<User | Omit<User, 'mail_refused_at'>> {
  const version = versionOfUser(user)
  if (viewer.is_superuser) return { ...user, version }
  const { mail_refused_at: _refusedAt, ...visible } = user
  return { ...visible, version }
}

/** Superusers cannot delete themselves. @throws DomainError `conflict` */
export function refuseDeletionOfOneself(actor: Actor, userId: string): void {
  if (userId === actor.user?.id && actor.user.is_superuser)
    throw new DomainError('conflict', 'Superusers are not allowed to delete themselves')
}
