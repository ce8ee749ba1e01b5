import type { FastifyRequest } from 'fastify'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { type Access, type SessionActor, type Device, requireAccess } from '../users/access.ts'
import { freshly, resumeSession } from './rules.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the operations that the contract marks with `security`. Handlers use `actorOf`. */
    actor: SessionActor | null
  }
}

/** The user of the request. @throws Error in an operation without security, which is a programming error */
export function actorOf(request: FastifyRequest): SessionActor {
  if (!request.actor) throw new Error('This operation has no security in the contract')
  return request.actor
}

/**
 * Sets the user of the request.
 * @param scopes what the contract asks for
 * @returns the id of the account
 * @throws DomainError `unauthenticated` without a valid bearer token; `forbidden`; `not-fresh`
 */
export async function authorize(
  context: Context,
  request: FastifyRequest,
  scopes: readonly string[],
  isFresh = false,
): Promise<string> {
  const token = /^bearer +(.*)$/i.exec((request.headers.authorization ?? '').trim())?.[1]
  if (token === undefined) throw new DomainError('unauthenticated', 'Not authenticated')
  request.actor = await resumeSession(context, token, deviceOf(request))
  const { user_id: userId = '' } = request.params as { user_id?: string }
  for (const scope of scopes as Access[]) requireAccess(request.actor, scope, userId.toLowerCase())
  if (isFresh) requireFreshSession(context, request)
  return request.actor.user.id
}

/** Requires a fresh session, now and in the transaction of the change. @throws DomainError `not-fresh` */
export function requireFreshSession(context: Context, request: FastifyRequest): void {
  request.actor = freshly(context, actorOf(request))
}

export function deviceOf({ ip, headers }: FastifyRequest): Device {
  return { ip, userAgent: headers['user-agent'] }
}
