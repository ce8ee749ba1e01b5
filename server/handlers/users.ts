import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { actorOf } from '../plugins/auth.ts'

type Handlers = Pick<RouteHandlers, 'usersReadUserMe'>

export function usersHandlers(): Handlers {
  return {
    async usersReadUserMe(request, reply) {
      return reply.code(200).send(actorOf(request).user)
    },
  }
}
