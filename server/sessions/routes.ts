import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import type { PageOf } from '../platform/database/lists.ts'
import { toPublic } from '../platform/to-public.ts'
import type { SessionActor } from '../users/access.ts'
import type { Session } from './queries.ts'
import { actorOf } from './request.ts'
import { endOtherSessions, endOwnSession, listSessionsOf } from './rules.ts'

export function sessionRoutes(context: Context) {
  return {
    async usersReadOwnSessions(request, reply) {
      const actor = actorOf(request)
      return reply.code(200).send(toPublicSessions(await listSessionsOf(context, actor.user.id), actor))
    },

    async usersEndOwnSession(request, reply) {
      await endOwnSession(context, actorOf(request), request.params.session_id)
      return reply.code(200).send({ message: 'Session ended' })
    },

    async usersEndOtherSessions(request, reply) {
      await endOtherSessions(context, actorOf(request), request.body?.end_tokens)
      return reply.code(200).send({ message: 'Other sessions ended' })
    },
  } satisfies Partial<RouteHandlers>
}

export function toPublicSessions({ data, count }: PageOf<Session>, { sessionId }: SessionActor) {
  return { data: data.map((session) => ({ ...toPublic(session), current: session.id === sessionId })), count }
}
