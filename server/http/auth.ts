import type { FastifyRequest } from 'fastify'
import type { Actor, Device } from '../domain/access.ts'
import { DomainError } from '../domain/errors.ts'
import type { Sessions } from '../domain/sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the operations that the contract marks with `security`. Handlers use `actorOf`. */
    actor: Actor | null
  }
}

/** The user of the request. @throws Error in an operation without security, which is a programming error */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error('This operation has no security in the contract')
  return request.actor
}

/** @throws DomainError `unauthenticated` without a valid bearer token */
export async function resumeSession(request: FastifyRequest, sessions: Sessions): Promise<Actor> {
  const token = /^bearer +(.*)$/i.exec((request.headers.authorization ?? '').trim())?.[1]
  if (token === undefined) throw new DomainError('unauthenticated', 'Not authenticated')
  return sessions.resume(token, deviceOf(request))
}

export function deviceOf({ ip, headers }: FastifyRequest): Device {
  return { ip, userAgent: headers['user-agent'] }
}
