import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Domain } from '../domain/domain.ts'
import type { MailTemplates } from '../mail/templates.ts'
import { itemsHandlers } from './items.ts'
import { loginHandlers } from './login.ts'
import { usersHandlers } from './users.ts'

/** One handler for every operation of the contract: a missing one does not compile. */
export function createHandlers(domain: Domain, templates: MailTemplates): RouteHandlers {
  return { ...loginHandlers(domain, templates), ...usersHandlers(domain), ...itemsHandlers(domain) }
}
