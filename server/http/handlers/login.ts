import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import type { Domain } from '../../domain/domain.ts'
import type { MailTemplates } from '../../mail/templates.ts'
import { actorOf, deviceOf } from '../auth.ts'
import { refuseOtherSites } from '../same-site.ts'
import { toPublic } from './to-public.ts'

type Handlers = Pick<RouteHandlers, keyof RouteHandlers & `login${string}`>

/** Replaces the token in the preview of a mail. */
const NO_TOKEN = 'this-link-is-only-a-preview-and-does-not-work'

export interface LoginOptions {
  templates: MailTemplates
  /** Whether the SPA may be served from this origin, besides the requested host. */
  isOwnOrigin: (origin: string) => boolean
}

export function loginHandlers({ logIn, sessions, recovery, invitations }: Domain, options: LoginOptions): Handlers {
  const { templates, isOwnOrigin } = options
  return {
    async loginLoginAccessToken(request, reply) {
      refuseOtherSites(request, 'Log-in', isOwnOrigin)
      const { username, password } = request.body
      const token = await logIn(deviceOf(request), username, password)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async loginTestToken(request, reply) {
      return reply.code(200).send(toPublic(actorOf(request).user))
    },

    async loginLogout(request, reply) {
      await sessions.end(actorOf(request))
      return reply.code(200).send({ message: 'Logged out' })
    },

    async loginRecoverPassword(request, reply) {
      refuseOtherSites(request, 'Password recovery', isOwnOrigin)
      await recovery.request(request, request.params.email)
      return reply.code(200).send({ message: 'If that email is registered, we sent a password recovery link' })
    },

    async loginRecoverPasswordHtmlContent(request, reply) {
      await recovery.requireAccount(actorOf(request), request.params.email)
      reply.type('text/html; charset=utf-8')
      return reply.code(200).send(templates.recovery(NO_TOKEN).html)
    },

    async loginResetPassword(request, reply) {
      const { token, new_password } = request.body
      await recovery.reset(request, token, new_password)
      return reply.code(200).send({ message: 'Password updated successfully' })
    },

    async loginAcceptInvitation(request, reply) {
      const { token, ...given } = request.body
      await invitations.accept(request, token, given)
      return reply.code(200).send({ message: 'Password set successfully' })
    },
  }
}
