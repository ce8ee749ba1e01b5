import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { refuseOtherSites } from '../platform/http/same-site.ts'
import { actorOf, deviceOf } from '../sessions/request.ts'
import { beginEnrolment, confirmEnrolment, finishLogIn } from './log-in.ts'
import { beginApp, confirmApp, describeFactors, removeApp, renewRecoveryCodes } from './rules.ts'

export function secondFactorRoutes(context: Context) {
  return {
    async loginSecondFactor(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { login, code } = request.body
      const token = await finishLogIn(context, deviceOf(request), login, code)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async loginEnrolment(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      return reply.code(200).send(await beginEnrolment(context, request.body.login))
    },

    async loginEnrolmentConfirm(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { login, code } = request.body
      const { token, recoveryCodes } = await confirmEnrolment(context, deviceOf(request), login, code)
      return reply.code(200).send({ access_token: token, token_type: 'bearer', recovery_codes: recoveryCodes })
    },

    async usersReadOwnSecondFactor(request, reply) {
      return reply.code(200).send(await describeFactors(context, actorOf(request).user))
    },

    async usersBeginTotp(request, reply) {
      return reply.code(200).send(await beginApp(context, actorOf(request)))
    },

    async usersConfirmTotp(request, reply) {
      const codes = await confirmApp(context, actorOf(request), request.body.code)
      return reply.code(200).send({ recovery_codes: codes })
    },

    async usersDeleteTotp(request, reply) {
      await removeApp(context, actorOf(request))
      return reply.code(200).send({ message: 'Authenticator app removed' })
    },

    async usersCreateRecoveryCodes(request, reply) {
      return reply.code(200).send({ recovery_codes: await renewRecoveryCodes(context, actorOf(request)) })
    },
  } satisfies Partial<RouteHandlers>
}
