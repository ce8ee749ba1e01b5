import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Domain } from '../domain/domain.ts'
import type { MailTemplates } from '../mail/templates.ts'
import { actorOf } from '../plugins/auth.ts'

type Handlers = Pick<
  RouteHandlers,
  | 'loginLoginAccessToken'
  | 'loginTestToken'
  | 'loginLogout'
  | 'loginRecoverPassword'
  | 'loginRecoverPasswordHtmlContent'
  | 'loginResetPassword'
>

/** Stands where the token would, in a mail that is only looked at. */
const NO_TOKEN = 'this-link-is-only-a-preview-and-does-not-work'

export function loginHandlers({ logIn, sessions, recovery }: Domain, templates: MailTemplates): Handlers {
  return {
    async loginLoginAccessToken(request, reply) {
      const { username, password } = request.body
      const token = await logIn(request, username, password)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async loginTestToken(request, reply) {
      return reply.code(200).send(actorOf(request).user)
    },

    async loginLogout(request, reply) {
      await sessions.end(actorOf(request))
      return reply.code(200).send({ message: 'Logged out' })
    },

    async loginRecoverPassword(request, reply) {
      await recovery.request(request, request.params.email)
      return reply.code(200).send({ message: 'If that email is registered, we sent a password recovery link' })
    },

    async loginRecoverPasswordHtmlContent(request, reply) {
      const user = await recovery.find(request.params.email)
      reply.type('text/html; charset=utf-8')
      return reply.code(200).send(templates.recovery(user, NO_TOKEN).html)
    },

    async loginResetPassword(request, reply) {
      const { token, new_password } = request.body
      await recovery.reset(request, token, new_password)
      return reply.code(200).send({ message: 'Password updated successfully' })
    },
  }
}
