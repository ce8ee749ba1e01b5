import type { FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'

/**
 * Rejects a request that another web site made a visitor's browser send, because it would use up the log-in limit of
 * the visitor's network. Programs other than browsers send neither header.
 * @param what begins the message
 * @param isOwnOrigin whether requests from an origin are accepted, besides those from the requested host
 * @throws DomainError `invalid`
 */
export function refuseOtherSites(
  { headers, host }: FastifyRequest,
  what: string,
  isOwnOrigin: (origin: string) => boolean,
): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isSameOrigin = site === 'same-origin' || (origin !== undefined && URL.parse(origin)?.host === host)
  if (isSameOrigin || (origin !== undefined && isOwnOrigin(origin))) return
  if (site === 'cross-site' || origin !== undefined)
    throw new DomainError('invalid', `${what} from another site is refused`)
}
