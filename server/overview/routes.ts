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
      const { users, days, ...others } = await readOverview(context, caller, request.signal)
      return reply.code(200).send({
        ...others,
        users: users && { ...users, newest: users.newest.map((user) => toPublic(visibleTo(caller.user, user))) },
        days:
          days && days.map(({ day, ...numbers }) => ({ day: new Date(day).toISOString().slice(0, 10), ...numbers })),
      })
    },
  } satisfies Partial<RouteHandlers>
}
