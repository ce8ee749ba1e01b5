import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { conditionOf, tagged } from '../platform/http/entity-tags.ts'
import { actorOf } from '../sessions/request.ts'
import { changeOwnPassword, deleteOwnAccount, signUp, updateOwnAccount } from './rules.ts'

export function accountRoutes(context: Context) {
  return {
    async usersRegisterUser(request, reply) {
      return reply.code(200).send(tagged(reply, await signUp(context, request, request.body)))
    },

    async usersReadUserMe(request, reply) {
      return reply.code(200).send(tagged(reply, actorOf(request).user))
    },

    async usersUpdateUserMe(request, reply) {
      const user = await updateOwnAccount(context, actorOf(request), request.body, conditionOf(request))
      return reply.code(200).send(tagged(reply, user))
    },

    async usersUpdatePasswordMe(request, reply) {
      const { current_password, new_password } = request.body
      await changeOwnPassword(context, actorOf(request), current_password, new_password)
      return reply.code(200).send({ message: 'Password updated successfully' })
    },

    async usersDeleteUserMe(request, reply) {
      await deleteOwnAccount(context, actorOf(request), conditionOf(request))
      return reply.code(200).send({ message: 'User deleted successfully' })
    },
  } satisfies Partial<RouteHandlers>
}
