import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition } from '../../domain/precondition.ts'
import { type Resource, toPublic } from './to-public.ts'

/** Fields that change without an edit, and so must not cause a conflict. */
const LEFT_OUT = new Set(['last_active_at'])

/** A strong entity tag (RFC 9110, 8.8.3): a digest of the resource's editable state. */
function entityTagOf(resource: Resource): string {
  const shown = Object.entries(toPublic(resource)).filter(([key]) => !LEFT_OUT.has(key))
  const fields = shown.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const digest = hash('sha256', JSON.stringify(fields), 'base64url')
  return `"${digest.slice(0, 22)}"`
}

/** Sets the `ETag` header. @returns the resource as the contract describes it */
export function tagged<T extends Resource>(
  reply: { header: (name: 'etag', value: string) => unknown },
  resource: T,
): ReturnType<typeof toPublic<T>> {
  reply.header('etag', entityTagOf(resource))
  return toPublic(resource)
}

/**
 * The condition of an `If-Match` header (RFC 9110, 13.1.1), with strong comparison. A header that is not a list of
 * entity tags matches nothing. `*` only requires that the resource exists, which every operation requires anyway.
 */
export function conditionOf(request: { headers: IncomingHttpHeaders }): Precondition {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const tags = entityTagsIn(header)
  return (found) => tags.includes(entityTagOf(found))
}

const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"'
const LIST = new RegExp(`^[ \\t]*${TAG}(?:[ \\t]*,[ \\t]*${TAG})*[ \\t]*$`)

function entityTagsIn(header: string): string[] {
  return LIST.test(header) ? (header.match(new RegExp(TAG, 'g')) ?? []) : []
}
