import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import type { Domain } from '../../domain/domain.ts'
import { actorOf } from '../auth.ts'
import { fieldsOf } from '../csv.ts'
import { conditionOf, tagged } from './entity-tags.ts'
import type { ListServices } from './list-services.ts'
import { toPublic, toPublicList } from './to-public.ts'

type Handlers = Pick<RouteHandlers, keyof RouteHandlers & `items${string}`>

const fields = fieldsOf('ItemPublic')

export function itemsHandlers({ items }: Domain, { takeTurn, sendCsv }: ListServices): Handlers {
  return {
    async itemsReadItems(request, reply) {
      const { skip = 0, limit = 100, ...given } = request.query ?? {}
      const actor = await takeTurn(request, reply)
      const list = await items.list(actor, given, { skip, limit }, request.signal)
      return reply.code(200).send(toPublicList(list))
    },

    async itemsExportItems(request, reply) {
      return sendCsv(request, reply, { name: 'items', fields, toRow: toPublic }, (target) =>
        items.export(actorOf(request), request.query ?? {}, target),
      )
    },

    async itemsCreateItem(request, reply) {
      const { body, headers } = request
      const item = await items.create(actorOf(request), body, headers['idempotency-key'])
      return reply.code(200).send(tagged(reply, item))
    },

    async itemsReadItem(request, reply) {
      return reply.code(200).send(tagged(reply, await items.read(actorOf(request), request.params.id)))
    },

    async itemsUpdateItem(request, reply) {
      const { params, body } = request
      const item = await items.update(actorOf(request), params.id, body, conditionOf(request))
      return reply.code(200).send(tagged(reply, item))
    },

    async itemsDeleteItem(request, reply) {
      await items.delete(actorOf(request), request.params.id, conditionOf(request))
      return reply.code(200).send({ message: 'Item deleted successfully' })
    },
  }
}
