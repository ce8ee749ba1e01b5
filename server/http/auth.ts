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

/** Who is asking. @throws Error in an operation that the contract leaves open to everyone: a mistake of ours */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error('This operation has no security in the contract')
  return request.actor
}

/** @throws DomainError `unauthenticated` when there is no bearer token, or one that does not hold */
export async function resumeSession(request: FastifyRequest, sessions: Sessions): Promise<Actor> {
  const token = /^bearer +(.*)$/i.exec((request.headers.authorization ?? '').trim())?.[1]
  if (token === undefined) throw new DomainError('unauthenticated', 'Not authenticated')
  return sessions.resume(token, deviceOf(request))
}

export function deviceOf({ ip, headers }: FastifyRequest): Device {
  return { ip, userAgent: headers['user-agent'] }
}
