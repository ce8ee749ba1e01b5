import { DomainError } from './errors.ts'
import type { User } from './user.ts'

/** Where a request comes from: its network address, or `server` for whoever sits at the machine itself. */
export interface Origin {
  ip: string
}

/** What a session is used with. */
export interface Device extends Origin {
  /** As the browser calls itself, if it does. */
  userAgent: string | undefined
}

/** Who is asking: an account, through one of its sessions. */
export interface Actor extends Origin {
  sessionId: string
  user: User
}

/** Who may use an operation, beside everyone who is signed in. The contract names it in the operation's `security`. */
export type Access = 'superuser' | 'self-or-superuser'

/**
 * Superusers administer users. An account is read by its owner and by superusers; nobody else learns whether it exists.
 * @param userId whom the operation is about, if anybody
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

/** Superusers are deleted by each other, never by themselves. @throws DomainError `conflict` */
export function refuseDeletionOfOneself(actor: Actor, userId: string): void {
  if (userId === actor.user.id && actor.user.is_superuser) {
    throw new DomainError('conflict', 'Superusers are not allowed to delete themselves')
  }
}

/** Somebody has to be left who can administer users. @throws DomainError `conflict` */
export function refuseLossOfLastSuperuser(others: { hasOtherActiveSuperuser: boolean }): void {
  if (!others.hasOtherActiveSuperuser) {
    throw new DomainError('conflict', 'The last active superuser cannot be deleted, demoted or deactivated')
  }
}
