import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { fieldsOf, type SendCsv } from '../lists/csv.ts'
import type { Context } from '../platform/context.ts'
import { closedSignal } from '../platform/http/closed-signal.ts'
import { conditionOf, tagged } from '../platform/http/entity-tags.ts'
import { toPublic, toPublicList } from '../platform/to-public.ts'
import { callerOf } from '../sessions/request.ts'
import { items } from './rules.ts'

const fields = fieldsOf('ItemPublic')

export function itemRoutes(context: Context, sendCsv: SendCsv) {
  return {
    async itemsReadItems(request, reply) {
      const { skip = 0, limit = 100, ...given } = request.query ?? {}
      const list = await items.list(context, callerOf(request), given, { skip, limit }, request.signal)
      return reply.code(200).send(toPublicList(list))
    },

    async itemsExportItems(request, reply) {
      return sendCsv(request, reply, { name: 'items', fields, toRow: toPublic }, (target) =>
        items.export(context, callerOf(request), request.query ?? {}, target),
      )
    },

    async itemsCreateItem(request, reply) {
      const { body, headers } = request
      const item = await items.create(context, callerOf(request), body, headers['idempotency-key'])
      return reply.code(200).send(tagged(reply, item))
    },

    async itemsBulkItems(request, reply) {
      const { action: _delete, ...targets } = request.body
      return reply.code(200).send(await items.deleteMany(context, callerOf(request), targets, closedSignal(reply)))
    },

    async itemsReadItem(request, reply) {
      const { row, at } = await items.read(context, callerOf(request), request.params.id)
      return reply.code(200).send(tagged(reply, row, at))
    },

    async itemsUpdateItem(request, reply) {
      const { params, body } = request
      const item = await items.update(context, callerOf(request), params.id, body, conditionOf(request))
      return reply.code(200).send(tagged(reply, item))
    },

    async itemsDeleteItem(request, reply) {
      await items.delete(context, callerOf(request), request.params.id, conditionOf(request))
      return reply.code(200).send({ message: 'Item deleted successfully' })
    },
  } satisfies Partial<RouteHandlers>
}
