import type { FastifyRequest } from 'fastify'
import { Refusal } from '../domain/errors.ts'

/**
 * Refuses a request that another web site made a visitor's browser send. It costs that visitor's network its allowance of
 * log-ins, although nobody there asked for it. Programs that are no browser send neither header.
 * @param what at the beginning of the sentence
 * @param ownOrigins from which requests are taken, besides the host that was asked
 * @throws Refusal `invalid`
 */
export function refuseOtherSites({ headers, host }: FastifyRequest, what: string, ownOrigins: readonly string[]): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isSameOrigin = site === 'same-origin' || (origin !== undefined && URL.parse(origin)?.host === host)
  if (isSameOrigin || (origin !== undefined && ownOrigins.includes(origin))) return
  if (site === 'cross-site' || origin !== undefined)
    throw new Refusal('invalid', `${what} from another site is refused`)
}
