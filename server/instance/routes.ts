import contract from '../../openapi.json' with { type: 'json' }
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { hasPasskeys } from '../sign-in/relying-party.ts'
import type { Context } from '../platform/context.ts'

export function instanceRoutes(context: Context) {
  const { config } = context
  return {
    async instanceReadInstance(_request, reply) {
      return reply.code(200).send({
        name: config.product,
        version: contract.info.version,
        sign_up: config.signUp,
        passkeys: hasPasskeys(context),
        second_factor: config.secondFactor,
        confirm_email: config.confirmEmail,
        oidc: null,
        password_log_in: true,
      })
    },
  } satisfies Partial<RouteHandlers>
}
