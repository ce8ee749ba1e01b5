import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'

/**
 * Refuses requests which another site makes with the browser of a visitor, because they could use up the log-in limit
 * of the visitor's network.
 * @param what begins the message
 * @throws DomainError `invalid`
 */
export function refuseOtherSites(context: Context, { headers, host }: FastifyRequest, what: string): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isSameOrigin = site === 'same-origin' || (origin !== undefined && URL.parse(origin)?.host === host)
  if (isSameOrigin || (origin !== undefined && isOwnOrigin(context, origin))) return
  if (site === 'cross-site' || origin !== undefined)
    throw new DomainError('invalid', `${what} from another site is refused`)
}

function isOwnOrigin({ config, publicUrl }: Context, origin: string): boolean {
  return origin === new URL(publicUrl()).origin || config.corsOrigins.includes(origin)
}
