import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { DomainError } from '../platform/errors.ts'

function notConfigured(): never {
  throw new DomainError('not-found', 'There is no log-in with a company account')
}

export function companyLogInRoutes() {
  return {
    loginOidc: notConfigured,
    loginOidcCallback: notConfigured,
    loginOidcComplete: notConfigured,
    usersIdentityOptions: notConfigured,
    usersConfirmOidc: notConfigured,
  } satisfies Partial<RouteHandlers>
}
