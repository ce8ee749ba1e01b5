import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Domain } from '../domain/domain.ts'
import { actorOf } from '../plugins/auth.ts'

type Handlers = Omit<RouteHandlers, `login${string}` | `users${string}`>

export function itemsHandlers({ items }: Domain): Handlers {
  return {
    async itemsReadItems(request, reply) {
      const { skip = 0, limit = 100 } = request.query ?? {}
      return reply.code(200).send(await items.list(actorOf(request), { skip, limit }))
    },

    async itemsCreateItem(request, reply) {
      return reply.code(200).send(await items.create(actorOf(request), request.body))
    },

    async itemsReadItem(request, reply) {
      return reply.code(200).send(await items.read(actorOf(request), request.params.id))
    },

    async itemsUpdateItem(request, reply) {
      return reply.code(200).send(await items.update(actorOf(request), request.params.id, request.body))
    },

    async itemsDeleteItem(request, reply) {
      await items.delete(actorOf(request), request.params.id)
      return reply.code(200).send({ message: 'Item deleted successfully' })
    },
  }
}
