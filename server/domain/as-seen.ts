import type { Item } from '../store/items.ts'
import type { User } from '../store/users.ts'
import { Refusal } from './errors.ts'

/**
 * Whether what is about to be changed or deleted is still what the caller has seen. Who gives none changes whatever it has
 * become: docs/decisions/0016-no-lost-updates.md.
 */
export type AsSeen = ((found: Item | User) => boolean) | undefined

/**
 * @param found as this transaction holds it: nobody else changes it before the transaction ends
 * @throws Refusal `changed`
 */
export function requireAsSeen(found: Item | User, asSeen: AsSeen): void {
  if (asSeen && !asSeen(found)) {
    throw new Refusal('changed', 'This was changed in the meantime. Read it again before you change it')
  }
}
