import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Domain } from '../domain/domain.ts'
import { actorOf } from '../plugins/auth.ts'

type Handlers = Pick<RouteHandlers, 'itemsReadItems' | 'itemsCreateItem'>

export function itemsHandlers({ items }: Domain): Handlers {
  return {
    async itemsReadItems(request, reply) {
      const { skip = 0, limit = 100 } = request.query ?? {}
      return reply.code(200).send(await items.list(actorOf(request), { skip, limit }))
    },

    async itemsCreateItem(request, reply) {
      return reply.code(200).send(await items.create(actorOf(request), request.body))
    },
  }
}
