import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import type { Domain } from '../../domain/domain.ts'
import type { Invited } from '../../domain/invitations.ts'
import type { MailTemplates } from '../../mail/templates.ts'
import { actorOf } from '../auth.ts'
import { fieldsOf } from '../csv.ts'
import { conditionOf, tagged } from './entity-tags.ts'
import type { ListServices } from './list-services.ts'
import { toPublic, toPublicList, toPublicSessions } from './to-public.ts'

type Handlers = Pick<RouteHandlers, keyof RouteHandlers & `users${string}`>

const fields = fieldsOf('UserPublic')

export function usersHandlers(
  { accounts, administration, overview, sessions }: Domain,
  { takeTurn, sendCsv }: ListServices,
  { templates }: { templates: MailTemplates },
): Handlers {
  const toInvitation = ({ user, token }: Invited) => ({
    user: toPublic(user),
    link: token === undefined ? null : templates.invitationUrl(token),
  })

  return {
    async usersRegisterUser(request, reply) {
      return reply.code(200).send(tagged(reply, await accounts.signUp(request, request.body)))
    },

    async usersReadUserMe(request, reply) {
      return reply.code(200).send(tagged(reply, actorOf(request).user))
    },

    async usersReadOverview(request, reply) {
      const actor = await takeTurn(request, reply)
      const { items, users } = await overview.read(actor, request.signal)
      const { count, lastEdited } = items
      return reply.code(200).send({
        items: {
          count,
          last_edited: lastEdited
            ? { item: toPublic(lastEdited.row), at: new Date(lastEdited.at).toISOString() }
            : null,
        },
        users: users && { ...users, newest: users.newest.map(toPublic) },
      })
    },

    async usersUpdateUserMe(request, reply) {
      const user = await accounts.update(actorOf(request), request.body, conditionOf(request))
      return reply.code(200).send(tagged(reply, user))
    },

    async usersUpdatePasswordMe(request, reply) {
      const { current_password, new_password } = request.body
      await accounts.changePassword(actorOf(request), current_password, new_password)
      return reply.code(200).send({ message: 'Password updated successfully' })
    },

    async usersDeleteUserMe(request, reply) {
      await accounts.delete(actorOf(request), conditionOf(request))
      return reply.code(200).send({ message: 'User deleted successfully' })
    },

    async usersReadUsers(request, reply) {
      const { skip = 0, limit = 100, ...given } = request.query ?? {}
      const actor = await takeTurn(request, reply)
      const list = await administration.list(actor, given, { skip, limit }, request.signal)
      return reply.code(200).send(toPublicList(list))
    },

    async usersExportUsers(request, reply) {
      return sendCsv(request, reply, { name: 'users', fields, toRow: toPublic }, (target) =>
        administration.export(actorOf(request), request.query ?? {}, target),
      )
    },

    async usersCreateUser(request, reply) {
      return reply.code(200).send(tagged(reply, await administration.create(actorOf(request), request.body)))
    },

    async usersInviteUser(request, reply) {
      return reply.code(200).send(toInvitation(await administration.invite(actorOf(request), request.body)))
    },

    async usersResendInvitation(request, reply) {
      const invited = await administration.resendInvitation(actorOf(request), request.params.user_id)
      return reply.code(200).send(toInvitation(invited))
    },

    async usersReadOwnSessions(request, reply) {
      const actor = await takeTurn(request, reply)
      return reply.code(200).send(toPublicSessions(await sessions.list(actor.user.id), actor))
    },

    async usersEndOwnSession(request, reply) {
      await sessions.endOwn(actorOf(request), request.params.session_id)
      return reply.code(200).send({ message: 'Session ended' })
    },

    async usersEndOtherSessions(request, reply) {
      await sessions.endOthers(actorOf(request))
      return reply.code(200).send({ message: 'Other sessions ended' })
    },

    async usersReadSessions(request, reply) {
      const actor = await takeTurn(request, reply)
      const list = await administration.listSessions(actor, request.params.user_id)
      return reply.code(200).send(toPublicSessions(list, actor))
    },

    async usersEndSessions(request, reply) {
      await administration.endSessions(actorOf(request), request.params.user_id)
      return reply.code(200).send({ message: 'Sessions ended' })
    },

    async usersReadUserById(request, reply) {
      return reply.code(200).send(tagged(reply, await administration.read(actorOf(request), request.params.user_id)))
    },

    async usersUpdateUser(request, reply) {
      const { params, body } = request
      const user = await administration.update(actorOf(request), params.user_id, body, conditionOf(request))
      return reply.code(200).send(tagged(reply, user))
    },

    async usersDeleteUser(request, reply) {
      await administration.delete(actorOf(request), request.params.user_id, conditionOf(request))
      return reply.code(200).send({ message: 'User deleted successfully' })
    },
  }
}
