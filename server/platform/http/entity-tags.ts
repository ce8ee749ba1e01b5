import type { IncomingHttpHeaders } from 'node:http'
import { entityTagOf, type Precondition, type Versioned } from '../precondition.ts'
import { type Resource, toPublic } from '../to-public.ts'

/**
 * Sets the `ETag` header and, with the time of the last change, `Last-Modified`.
 * @returns the resource as openapi.json describes it
 */
export function tagged<T extends Versioned<Resource>>(
  reply: { header: (name: 'etag' | 'last-modified', value: string) => unknown },
  resource: T,
  editedAt?: number,
): ReturnType<typeof toPublic<T>> {
  reply.header('etag', entityTagOf(resource.version))
  if (editedAt !== undefined) reply.header('last-modified', new Date(editedAt).toUTCString())
  return toPublic(resource)
}

/**
 * The entity tags of an `If-Match` header (RFC 9110, 13.1.1), for strong comparison. A header that is not a list of
 * entity tags matches nothing. `*` only requires that the resource exists, which every operation requires anyway.
 */
export function conditionOf(request: { headers: IncomingHttpHeaders }): Precondition {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  return LIST.test(header) ? (header.match(new RegExp(TAG, 'g')) ?? []) : []
}

const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"'
const LIST = new RegExp(`^[ \\t]*${TAG}(?:[ \\t]*,[ \\t]*${TAG})*[ \\t]*$`)
