import { DomainError } from './errors.ts'

/**
 * A caller's condition for a change or deletion: that the resource is unchanged since it was read. Without one, the
 * change is unconditional: docs/decisions/0016-no-lost-updates.md.
 */
export type Precondition = ((found: { id: string }) => boolean) | undefined

/**
 * @param found locked by this transaction
 * @throws DomainError `precondition-failed`
 */
export function requirePrecondition(found: { id: string }, precondition: Precondition): void {
  if (precondition && !precondition(found)) {
    throw new DomainError('precondition-failed', 'This was changed in the meantime. Read it again before you change it')
  }
}
