import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { HttpError } from '../platform/http/http-error.ts'
import { readDateOrTime } from '../platform/lib/date-or-time.ts'
import { toPublic, toPublicList } from '../platform/to-public.ts'
import { actorOf } from '../sessions/request.ts'
import { createApiToken, endOwnApiToken, listApiTokensOf } from './rules.ts'

export function apiTokenRoutes(context: Context) {
  return {
    async usersReadOwnTokens(request, reply) {
      const data = await listApiTokensOf(context, actorOf(request).user.id)
      return reply.code(200).send(toPublicList({ data, count: data.length }))
    },

    async usersCreateToken(request, reply) {
      const { name, scope, expires_at } = request.body
      const wanted = { name, scope, expires_at: timeOf(expires_at) }
      return reply.code(200).send(toPublic(await createApiToken(context, actorOf(request), wanted)))
    },

    async usersEndOwnToken(request, reply) {
      await endOwnApiToken(context, actorOf(request), request.params.token_id)
      return reply.code(200).send({ message: 'Token ended' })
    },
  } satisfies Partial<RouteHandlers>
}

/** The format `date-time` of the contract also accepts leap seconds, which are refused here. @throws HttpError 422 */
function timeOf(text: string): number {
  const time = readDateOrTime(text)
  if (!time) {
    const msg = 'Input should be a valid time with its zone'
    throw new HttpError(422, [{ loc: ['body', 'expires_at'], msg, type: 'format' }])
  }
  return time.first
}
