import manifest from '../../package.json' with { type: 'json' }
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { hasPasskeys } from '../sign-in/relying-party.ts'
import type { Context } from '../platform/context.ts'

export function instanceRoutes(context: Context) {
  const { config, provider } = context
  return {
    async instanceReadInstance(_request, reply) {
      return reply.code(200).send({
        name: config.product,
        version: manifest.version,
        sign_up: config.signUp,
        passkeys: hasPasskeys(context),
        second_factor: config.secondFactor,
        confirm_email: config.confirmEmail,
        oidc: provider ? { name: provider.name, log_out: provider.logOutUrl() ?? null } : null,
        password_log_in: config.passwordLogIn,
        mail: config.mail.smtpUrl !== undefined,
      })
    },
  } satisfies Partial<RouteHandlers>
}
