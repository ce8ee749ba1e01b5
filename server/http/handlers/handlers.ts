import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import type { Domain } from '../../domain/domain.ts'
import { createTurns } from '../turns.ts'
import { itemsHandlers } from './items.ts'
import { loginHandlers, type LoginOptions } from './login.ts'
import { usersHandlers } from './users.ts'

/** One handler for every operation of the contract: a missing one does not compile. */
export function createHandlers(domain: Domain, options: LoginOptions): RouteHandlers {
  const inTurn = createTurns()
  return { ...loginHandlers(domain, options), ...usersHandlers(domain, inTurn), ...itemsHandlers(domain, inTurn) }
}
