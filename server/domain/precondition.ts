import { DomainError } from './errors.ts'

/**
 * What a caller asks of a resource before it is changed or deleted: that it is still the one that the caller has seen.
 * Without one, it is changed in any case: docs/decisions/0016-no-lost-updates.md.
 */
export type Precondition = ((found: { id: string }) => boolean) | undefined

/**
 * @param found as this transaction holds it: nobody else changes it before the transaction ends
 * @throws DomainError `precondition-failed`
 */
export function requirePrecondition(found: { id: string }, precondition: Precondition): void {
  if (precondition && !precondition(found)) {
    throw new DomainError('precondition-failed', 'This was changed in the meantime. Read it again before you change it')
  }
}
