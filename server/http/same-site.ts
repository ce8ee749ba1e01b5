import type { FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'

/**
 * Refuses a request that another web site made a visitor's browser send. It costs that visitor's network its allowance of
 * log-ins, although nobody there asked for it. Programs that are no browser send neither header.
 * @param what at the beginning of the sentence
 * @param isOwnOrigin whether requests from there are taken, besides those from the host that was asked
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
