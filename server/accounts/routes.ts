import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { conditionOf, tagged } from '../platform/http/entity-tags.ts'
import { HttpError } from '../platform/http/http-error.ts'
import { refuseOtherSites } from '../platform/http/same-site.ts'
import { actorOf, callerOf } from '../sessions/request.ts'
import type { User } from '../users/queries.ts'
import { visibleTo } from '../users/access.ts'
import { confirmEmail, forgetPendingEmail, sendLinkAgain } from './email-confirmation.ts'
import { setPasswordByToken } from './mailed-links.ts'
import { recoveryMail } from './mails.ts'
import { requestRecovery, requireAccountOf } from './recovery.ts'
import { changeOwnPassword, deleteOwnAccount, signUp, updateOwnAccount } from './rules.ts'
import { withRemoved } from './unconfirmed.ts'

const NO_TOKEN = 'this-link-is-only-a-preview-and-does-not-work'

const own = (reply: Parameters<typeof tagged>[0], user: User) => tagged(reply, visibleTo(user, user))

export function accountRoutes(context: Context) {
  return {
    async usersRegisterUser(request, reply) {
      return reply.code(200).send(own(reply, await signUp(context, request, request.body)))
    },

    async usersReadUserMe(request, reply) {
      return reply.code(200).send(own(reply, callerOf(request).user))
    },

    async usersUpdateUserMe(request, reply) {
      const user = await updateOwnAccount(context, actorOf(request), request.body, conditionOf(request))
      return reply.code(200).send(own(reply, user))
    },

    async usersUpdatePasswordMe(request, reply) {
      const { current_password, new_password, end_tokens } = request.body
      await changeOwnPassword(context, actorOf(request), current_password, new_password, end_tokens)
      return reply.code(200).send({ message: 'Password updated successfully' })
    },

    async usersDeleteUserMe(request, reply) {
      await deleteOwnAccount(context, actorOf(request), conditionOf(request))
      return reply.code(200).send({ message: 'User deleted successfully' })
    },

    async usersSendEmailConfirmation(request, reply) {
      await sendLinkAgain(context, actorOf(request))
      return reply.code(200).send({ message: 'Link sent' })
    },

    async usersForgetPendingEmail(request, reply) {
      await forgetPendingEmail(context, actorOf(request))
      return reply.code(200).send({ message: 'No address is pending' })
    },

    async loginConfirmEmail(request, reply) {
      const confirmed = await confirmEmail(context, actorOf(request), request.body.token)
      if (confirmed === 'other-account') throw new HttpError(400, 'Invalid token', {}, { other_account: true })
      return reply.code(200).send({ message: 'Address confirmed' })
    },

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
      const { new_password: password, ...given } = request.body
      const removed = await setPasswordByToken(context, request, 'reset', { password, ...given })
      return reply.code(200).send({ message: withRemoved('Password updated successfully', removed) })
    },

    async loginAcceptInvitation(request, reply) {
      const removed = await setPasswordByToken(context, request, 'invitation', request.body)
      return reply.code(200).send({ message: withRemoved('Password set successfully', removed) })
    },
  } satisfies Partial<RouteHandlers>
}
