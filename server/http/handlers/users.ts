import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import type { Domain } from '../../domain/domain.ts'
import { actorOf } from '../auth.ts'
import type { createTurns } from '../turns.ts'
import { conditionOf, tagged } from './entity-tags.ts'
import { fieldsOf, sendCsv } from './csv.ts'
import { toPublicList } from './to-public.ts'

type Handlers = Omit<RouteHandlers, `login${string}` | `items${string}`>

const fields = fieldsOf('UserPublic')

export function usersHandlers({ accounts, administration }: Domain, inTurn: ReturnType<typeof createTurns>): Handlers {
  return {
    async usersRegisterUser(request, reply) {
      return reply.code(200).send(tagged(reply, await accounts.signUp(request, request.body)))
    },

    async usersReadUserMe(request, reply) {
      return reply.code(200).send(tagged(reply, actorOf(request).user))
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
      const actor = actorOf(request)
      const list = await inTurn(actor.user.id, () => administration.list(actor, given, { skip, limit }))
      return reply.code(200).send(toPublicList(list))
    },

    async usersExportUsers(request, reply) {
      return sendCsv(reply, 'users', fields, administration.export(actorOf(request), request.query ?? {}))
    },

    async usersCreateUser(request, reply) {
      return reply.code(200).send(tagged(reply, await administration.create(actorOf(request), request.body)))
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
