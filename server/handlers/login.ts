import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Domain } from '../domain/domain.ts'
import { actorOf } from '../plugins/auth.ts'

type Handlers = Pick<RouteHandlers, 'loginLoginAccessToken' | 'loginTestToken' | 'loginLogout'>

export function loginHandlers({ accounts, sessions }: Domain): Handlers {
  return {
    async loginLoginAccessToken(request, reply) {
      const token = await accounts.logIn(request.body.username, request.body.password)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async loginTestToken(request, reply) {
      return reply.code(200).send(actorOf(request).user)
    },

    async loginLogout(request, reply) {
      await sessions.end(actorOf(request).sessionId)
      return reply.code(200).send({ message: 'Logged out' })
    },
  }
}
