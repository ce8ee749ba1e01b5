import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { toPublic } from '../platform/to-public.ts'
import { callerOf } from '../sessions/request.ts'
import { visibleTo } from '../users/access.ts'
import { readOverview } from './rules.ts'

export function overviewRoutes(context: Context) {
  return {
    async usersReadOverview(request, reply) {
      const caller = callerOf(request)
      const { items, users, days, setup } = await readOverview(context, caller, request.signal)
      const edited = items.recentlyEdited.map(({ row, at }) => ({
        item: toPublic(row),
        at: new Date(at).toISOString(),
      }))
      return reply.code(200).send({
        items: { count: items.count, recently_edited: edited },
        users: users && { ...users, newest: users.newest.map((user) => toPublic(visibleTo(caller.user, user))) },
        days:
          days && days.map(({ day, ...numbers }) => ({ day: new Date(day).toISOString().slice(0, 10), ...numbers })),
        setup,
      })
    },
  } satisfies Partial<RouteHandlers>
}
