import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition } from '../../domain/precondition.ts'
import { type Resource, toPublic } from './to-public.ts'

/** What changes by itself, and is not what somebody else has changed meanwhile. */
const LEFT_OUT = new Set(['last_active_at'])

/** A strong entity tag (RFC 9110, 8.8.3), made from what people change of a resource: what changes there changes it. */
function entityTagOf(resource: Resource): string {
  const shown = Object.entries(toPublic(resource)).filter(([key]) => !LEFT_OUT.has(key))
  const fields = shown.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const digest = createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
  return `"${digest.slice(0, 22)}"`
}

/** Sends the resource's entity tag along with it. @returns the resource as the contract describes it */
export function tagged<T extends Resource>(
  reply: { header: (name: 'etag', value: string) => unknown },
  resource: T,
): ReturnType<typeof toPublic<T>> {
  reply.header('etag', entityTagOf(resource))
  return toPublic(resource)
}

/**
 * The condition a request sets with `If-Match` (RFC 9110, 13.1.1), compared strongly. A header that is no list of entity
 * tags names none, so nothing fulfils it. `*` asks for what every operation asks: that the resource is there.
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
