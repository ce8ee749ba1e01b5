import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { refuseOtherSites } from '../platform/http/same-site.ts'
import { toPublic } from '../platform/to-public.ts'
import { actorOf, deviceOf } from '../sessions/request.ts'
import {
  confirmationOptions,
  listOwn,
  logInByPasskey,
  logInOptions,
  registerPasskey,
  registrationOptions,
  remove,
  rename,
} from './rules.ts'
import type { Registration } from './verify.ts'

export function passkeyRoutes(context: Context) {
  return {
    async loginPasskeyOptions(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      return reply.code(200).send(await logInOptions(context, request.ip))
    },

    async loginPasskey(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { ceremony, credential } = request.body
      const token = await logInByPasskey(context, deviceOf(request), ceremony, credential)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async usersConfirmOptions(request, reply) {
      return reply.code(200).send(await confirmationOptions(context, actorOf(request)))
    },

    async usersReadPasskeys(request, reply) {
      const data = (await listOwn(context, actorOf(request))).map(toPublic)
      return reply.code(200).send({ data, count: data.length })
    },

    async usersPasskeyOptions(request, reply) {
      return reply.code(200).send(await registrationOptions(context, actorOf(request)))
    },

    async usersCreatePasskey(request, reply) {
      const { ceremony, credential, name } = request.body
      const given = { ceremony, credential: credential as Registration, name }
      return reply.code(200).send(toPublic(await registerPasskey(context, actorOf(request), given)))
    },

    async usersUpdatePasskey(request, reply) {
      const { passkey_id: id } = request.params
      return reply.code(200).send(toPublic(await rename(context, actorOf(request), id, request.body.name)))
    },

    async usersDeletePasskey(request, reply) {
      await remove(context, actorOf(request), request.params.passkey_id)
      return reply.code(200).send({ message: 'Passkey deleted' })
    },
  } satisfies Partial<RouteHandlers>
}
