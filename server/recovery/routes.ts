import { withRemoved } from '../accounts/unconfirmed.ts'
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { refuseOtherSites } from '../platform/http/same-site.ts'
import { actorOf } from '../sessions/request.ts'
import { recoveryMail } from './mails.ts'
import { requestRecovery, requireAccountOf, resetPassword } from './rules.ts'

/** Replaces the token in the preview of a mail. */
const NO_TOKEN = 'this-link-is-only-a-preview-and-does-not-work'

export function recoveryRoutes(context: Context) {
  return {
    async loginRecoverPassword(request, reply) {
      refuseOtherSites(context, request, 'Password recovery')
      await requestRecovery(context, request, request.params.email)
      return reply.code(200).send({ message: 'If that email is registered, we sent a password recovery link' })
    },

    async loginRecoverPasswordHtmlContent(request, reply) {
      await requireAccountOf(context, actorOf(request), request.params.email)
      reply.type('text/html; charset=utf-8')
      return reply.code(200).send(recoveryMail(context, NO_TOKEN).html)
    },

    async loginResetPassword(request, reply) {
      const { token, new_password } = request.body
      const removed = await resetPassword(context, request, token, new_password)
      return reply.code(200).send({ message: withRemoved('Password updated successfully', removed) })
    },
  } satisfies Partial<RouteHandlers>
}
