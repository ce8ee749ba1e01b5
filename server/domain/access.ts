import type { User } from '../store/users.ts'
import { Refusal } from './errors.ts'

/** Who is asking: an account, through one of its sessions. */
export interface Actor {
  sessionId: string
  user: User
}

/** DECISIONS of the API: users are administered by superusers alone. @throws Refusal `forbidden` */
export function requireSuperuser(actor: Actor): void {
  if (!actor.user.is_superuser) throw new Refusal('forbidden', "The user doesn't have enough privileges")
}

/** Whose items an account sees and changes: `undefined` is everybody's. Queries take it as a condition. */
export function visibleOwner(actor: Actor): string | undefined {
  return actor.user.is_superuser ? undefined : actor.user.id
}
