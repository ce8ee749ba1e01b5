import { hash } from 'node:crypto'
import { DomainError } from './errors.ts'
import { type Resource, toPublic } from './to-public.ts'

/**
 * A caller's condition for a change or deletion: the entity tags of the states that the caller accepts. Without it, the
 * change is unconditional: docs/decisions/0016-no-lost-updates.md.
 */
export type Precondition = readonly string[] | undefined

/** Fields that change without an edit, and so must not cause a conflict. */
const LEFT_OUT = new Set(['last_active_at', 'email_confirmed_at', 'pending_email', 'mail_refused_at'])

/** Further fields of certain rows, which belong to other rows. */
const fieldsOfOthers = new WeakMap<object, readonly string[]>()

/** Leaves fields out of the entity tag of a row. @returns the row */
export function withFieldsOfOthers<Row extends object>(row: Row, fields: readonly string[]): Row {
  fieldsOfOthers.set(row, fields)
  return row
}

/** A strong entity tag (RFC 9110, 8.8.3): a digest of the resource's editable state. */
export function entityTagOf(resource: Resource): string {
  const others = fieldsOfOthers.get(resource)
  const shown = Object.entries(toPublic(resource)).filter(([key]) => !LEFT_OUT.has(key) && !others?.includes(key))
  const fields = shown.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const digest = hash('sha256', JSON.stringify(fields), 'base64url')
  return `"${digest.slice(0, 22)}"`
}

/**
 * @param found locked by this transaction
 * @throws DomainError `precondition-failed`
 */
export function requirePrecondition(found: Resource, precondition: Precondition): void {
  if (precondition && !precondition.includes(entityTagOf(found))) {
    throw new DomainError('precondition-failed', 'This was changed in the meantime. Read it again before you change it')
  }
}
