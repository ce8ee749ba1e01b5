import { withRemoved } from '../accounts/unconfirmed.ts'
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { acceptInvitation } from './rules.ts'

export function invitationRoutes(context: Context) {
  return {
    async loginAcceptInvitation(request, reply) {
      const removed = await acceptInvitation(context, request, request.body)
      return reply.code(200).send({ message: withRemoved('Password set successfully', removed) })
    },
  } satisfies Partial<RouteHandlers>
}
