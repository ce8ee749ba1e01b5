import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { acceptInvitation } from './rules.ts'

export function invitationRoutes(context: Context) {
  return {
    async loginAcceptInvitation(request, reply) {
      await acceptInvitation(context, request, request.body)
      return reply.code(200).send({ message: 'Password set successfully' })
    },
  } satisfies Partial<RouteHandlers>
}
