import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { callerOf } from '../sessions/request.ts'
import type { Streams } from './streams.ts'

export function liveRoutes(streams: Streams) {
  return {
    async eventsReadEvents(request, reply) {
      reply.header('content-type', 'text/event-stream')
      // Proxies must pass each hint on at once.
      reply.header('x-accel-buffering', 'no')
      if (request.method === 'HEAD') return '' as never
      return (await streams.open(callerOf(request))) as never
    },
  } satisfies Partial<RouteHandlers>
}
