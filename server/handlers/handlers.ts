import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Domain } from '../domain/domain.ts'
import { itemsHandlers } from './items.ts'
import { loginHandlers } from './login.ts'
import { notImplemented } from './not-implemented.ts'
import { usersHandlers } from './users.ts'

/** One handler for every operation of the contract: a missing one does not compile. */
export function createHandlers(domain: Domain): RouteHandlers {
  return { ...notImplemented, ...loginHandlers(domain), ...usersHandlers(), ...itemsHandlers(domain) }
}
