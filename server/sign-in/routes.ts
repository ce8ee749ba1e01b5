import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { confirmByPasskey } from '../passkeys/rules.ts'
import { HttpError } from '../platform/http/http-error.ts'
import { refuseOtherSites } from '../platform/http/same-site.ts'
import { toPublic } from '../platform/to-public.ts'
import { confirmByCode } from '../second-factor/rules.ts'
import { actorOf, deviceOf } from '../sessions/request.ts'
import { endSession } from '../sessions/rules.ts'
import { confirmByPassword, logIn } from './rules.ts'

export function signInRoutes(context: Context) {
  return {
    async loginLoginAccessToken(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { username, password } = request.body
      const entered = await logIn(context, deviceOf(request), username, password)
      if ('secondStep' in entered) {
        const { detail, ...second_factor } = entered.secondStep
        throw new HttpError(400, detail, {}, { second_factor })
      }
      return reply.code(200).send({ access_token: entered.token, token_type: 'bearer' })
    },

    async usersConfirm(request, reply) {
      const { password, code, ceremony, credential } = request.body
      const actor = actorOf(request)
      const hasPasskey = ceremony !== undefined && credential !== undefined
      const given = [password !== undefined, code !== undefined, hasPasskey].filter(Boolean)
      if (given.length !== 1 || (ceremony === undefined) !== (credential === undefined)) {
        throw new HttpError(422, [{ loc: ['body'], msg: 'Give a password, a code or a passkey', type: 'one_of' }])
      }
      if (hasPasskey) await confirmByPasskey(context, actor, ceremony, credential)
      else if (code !== undefined) await confirmByCode(context, actor, code)
      else await confirmByPassword(context, actor, password ?? '')
      return reply.code(200).send({ message: 'Confirmed' })
    },

    async loginTestToken(request, reply) {
      return reply.code(200).send(toPublic(actorOf(request).user))
    },

    async loginLogout(request, reply) {
      await endSession(context, actorOf(request))
      return reply.code(200).send({ message: 'Logged out' })
    },
  } satisfies Partial<RouteHandlers>
}
