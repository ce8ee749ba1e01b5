import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { fieldsOf, type SendCsv } from '../lists/csv.ts'
import type { Context } from '../platform/context.ts'
import { closedSignal } from '../platform/http/closed-signal.ts'
import { conditionOf, tagged } from '../platform/http/entity-tags.ts'
import { toPublic, toPublicList } from '../platform/to-public.ts'
import { callerOf } from '../sessions/request.ts'
import { gizmos as rules } from './rules.ts'

const exported = fieldsOf('GizmoPublic')

export function gizmoRoutes(context: Context, sendCsv: SendCsv) {
  return {
    async gizmosReadGizmos(request, reply) {
      const { skip = 0, limit = 100, ...given } = request.query ?? {}
      const list = await rules.list(context, callerOf(request), given, { skip, limit }, request.signal)
      return reply.code(200).send(toPublicList(list))
    },

    async gizmosExportGizmos(request, reply) {
      return sendCsv(request, reply, { name: 'gizmos', fields: exported, toRow: toPublic }, (target) =>
        rules.export(context, callerOf(request), request.query ?? {}, target),
      )
    },

    async gizmosCreateGizmo(request, reply) {
      const { body, headers } = request
      const row = await rules.create(context, callerOf(request), body, headers['idempotency-key'])
      return reply.code(200).send(tagged(reply, row))
    },

    async gizmosBulkGizmos(request, reply) {
      const { action: _delete, ...targets } = request.body
      return reply.code(200).send(await rules.deleteMany(context, callerOf(request), targets, closedSignal(reply)))
    },

    async gizmosReadGizmo(request, reply) {
      const { row, at } = await rules.read(context, callerOf(request), request.params.id)
      return reply.code(200).send(tagged(reply, row, at))
    },

    async gizmosUpdateGizmo(request, reply) {
      const { params, body } = request
      const row = await rules.update(context, callerOf(request), params.id, body, conditionOf(request))
      return reply.code(200).send(tagged(reply, row))
    },

    async gizmosDeleteGizmo(request, reply) {
      await rules.delete(context, callerOf(request), request.params.id, conditionOf(request))
      return reply.code(200).send({ message: 'Gizmo deleted successfully' })
    },
  } satisfies Partial<RouteHandlers>
}
