import type { FastifyRequest } from 'fastify'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import type { Operation } from '../platform/http/contract.ts'
import {
  type Access,
  type AccountActor,
  type Device,
  notForTokens,
  requireAccess,
  type SessionActor,
} from '../users/access.ts'
import { requireRecentLogIn } from './checks.ts'
import { resume } from './rules.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the operations that the contract marks with `security`. Handlers use `actorOf` or `callerOf`. */
    actor: AccountActor | null
  }
}

/** The person of the request. @throws Error in an operation without security, which is a programming error */
export function actorOf(request: FastifyRequest): SessionActor {
  const actor = callerOf(request)
  if (actor.token) throw notForTokens()
  return actor
}

/** The person or program of the request. Only operations with the mark `x-token` of the contract accept programs. */
export function callerOf({ actor }: FastifyRequest): AccountActor {
  if (!actor) throw new Error('This operation has no security in the contract')
  return actor
}

/**
 * Sets who acts in the request.
 * @returns the id of the account
 * @throws DomainError `unauthenticated` without a valid bearer token; `forbidden`; `not-fresh`; `too-many`
 */
export async function authorize(context: Context, request: FastifyRequest, operation: Operation): Promise<string> {
  const token = /^bearer +(.*)$/i.exec((request.headers.authorization ?? '').trim())?.[1]
  if (token === undefined) throw new DomainError('unauthenticated', 'Not authenticated')
  request.actor = await resume(context, token, deviceOf(request))
  requireScope(request.actor, operation)
  const { user_id: userId = '' } = request.params as { user_id?: string }
  const scopes = (operation.security?.bearer ?? []) as Access[]
  for (const scope of scopes) requireAccess(request.actor, scope, userId.toLowerCase())
  if (operation.isFresh) request.actor = requireRecentLogIn(context, request.actor)
  return request.actor.user.id
}

/** Applies the mark `x-token` of the contract. @throws DomainError `forbidden` */
function requireScope({ token }: AccountActor, { forTokens }: Operation): void {
  if (!token) return
  if (forTokens === undefined) throw notForTokens()
  if (forTokens === 'write' && token.scope === 'read') throw new DomainError('forbidden', 'This token may only read')
}

/**
 * Checks what only the body shows: whether the request needs a recent log-in, and whether an API token may send it.
 * @throws DomainError `not-fresh`, `forbidden`
 */
export function authorizeBody(context: Context, request: FastifyRequest, operation: Operation): void {
  const actor = callerOf(request)
  if (actor.token && operation.isNotForTokensWith?.(request.body)) throw notForTokens()
  if (!actor.token && operation.isFreshWith?.(request.body)) request.actor = requireRecentLogIn(context, actor)
}

export function deviceOf({ ip, headers }: FastifyRequest): Device {
  return { ip, userAgent: headers['user-agent'] }
}
