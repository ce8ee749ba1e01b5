import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Lists } from '../lists/services.ts'
import type { Context } from '../platform/context.ts'
import { toPublic } from '../platform/to-public.ts'
import { actorOf } from '../sessions/request.ts'
import { readOverview } from './rules.ts'

export function overviewRoutes(context: Context, { takeSlot }: Lists) {
  return {
    async usersReadOverview(request, reply) {
      const actor = actorOf(request)
      await takeSlot(actor.user.id, request, reply)
      const { items, users, days } = await readOverview(context, actor, request.signal)
      const { count, lastEdited } = items
      return reply.code(200).send({
        items: {
          count,
          last_edited: lastEdited
            ? { item: toPublic(lastEdited.row), at: new Date(lastEdited.at).toISOString() }
            : null,
        },
        users: users && { ...users, newest: users.newest.map(toPublic) },
        days:
          days && days.map(({ day, ...numbers }) => ({ day: new Date(day).toISOString().slice(0, 10), ...numbers })),
      })
    },
  } satisfies Partial<RouteHandlers>
}
