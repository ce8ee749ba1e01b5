import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import type { Domain } from '../../domain/domain.ts'
import { createCsv } from '../csv.ts'
import { createTurns } from '../turns.ts'
import { itemsHandlers } from './items.ts'
import { auditHandlers } from './audit.ts'
import { instanceHandlers, type InstanceOptions } from './instance.ts'
import { loginHandlers, type LoginOptions } from './login.ts'
import { usersHandlers } from './users.ts'

/** A handler for every operation of the contract. A missing one does not compile. */
export function createHandlers(
  domain: Domain,
  options: LoginOptions & InstanceOptions & { dataDir: string },
): RouteHandlers {
  const lists = {
    takeTurn: createTurns(),
    sendCsv: createCsv({ dataDir: options.dataDir, requireLive: domain.sessions.requireLive }),
  }
  return {
    ...instanceHandlers(options),
    ...loginHandlers(domain, options),
    ...usersHandlers(domain, lists, options),
    ...itemsHandlers(domain, lists),
    ...auditHandlers(domain, lists),
  }
}
