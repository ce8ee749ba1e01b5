import type { User } from '../store/users.ts'
import { Refusal } from './errors.ts'

/** Where a request comes from: its network address, or `server` for whoever sits at the machine itself. */
export interface Origin {
  ip: string
}

/** Who is asking: an account, through one of its sessions. */
export interface Actor extends Origin {
  sessionId: string
  user: User
}

/** Users are administered by superusers alone. @throws Refusal `forbidden` */
export function requireSuperuser(actor: Actor): void {
  if (!actor.user.is_superuser) throw new Refusal('forbidden', "The user doesn't have enough privileges")
}

/**
 * An account is read by its owner and by superusers; nobody else learns whether it exists.
 * @throws Refusal `forbidden`
 */
export function requireSelfOrSuperuser(actor: Actor, userId: string): void {
  if (userId !== actor.user.id) requireSuperuser(actor)
}

/** Whose items an account sees and changes: `undefined` is everybody's. Queries take it as a condition. */
export function visibleOwner(actor: Actor): string | undefined {
  return actor.user.is_superuser ? undefined : actor.user.id
}

/** Superusers are deleted by each other, never by themselves. @throws Refusal `conflict` */
export function refuseDeletionOfOneself(actor: Actor, userId: string): void {
  if (userId === actor.user.id && actor.user.is_superuser) {
    throw new Refusal('conflict', 'Superusers are not allowed to delete themselves')
  }
}

/** Somebody has to be left who can administer users. @throws Refusal `conflict` */
export function refuseLossOfLastSuperuser(others: { hasOtherActiveSuperuser: boolean }): void {
  if (!others.hasOtherActiveSuperuser) {
    throw new Refusal('conflict', 'The last active superuser cannot be deleted, demoted or deactivated')
  }
}
