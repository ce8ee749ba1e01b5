import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { networkAddress } from '../../lib/network-address.ts'
import { HttpError } from '../http-error.ts'

/** Duplicates are ambiguous: Node keeps the first one, and a proxy may use another. */
const SENT_ONCE = new Set(['host', 'authorization', 'content-type'])

/**
 * Rejects ambiguous requests and ignores unknown bodies before routing. Warns once about a proxy that is not trusted.
 */
export const httpRules = fp(async (app) => {
  let warned = false
  app.addHook('onRequest', async (request) => {
    if (!warned && isIgnoredProxy(request)) {
      warned = true
      const peer = networkAddress(request.socket.remoteAddress ?? '')
      request.log.warn({ peer }, 'X-Forwarded-For is ignored: TRUSTED_PROXIES does not name this peer')
    }
    if (isAmbiguous(request)) throw new HttpError(400, 'Bad Request')
  })
  // Only operations without a body accept other types. Node discards their body.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
})

/** All users behind a proxy outside TRUSTED_PROXIES share its address and limits. */
function isIgnoredProxy({ headers, ips = [] }: FastifyRequest): boolean {
  // `ips` has the peer and, if it is trusted, the forwarded addresses.
  return headers['x-forwarded-for'] !== undefined && ips.length <= 1
}

/** HTTP/1.1 requires a host (RFC 9112, 3.2). */
function isAmbiguous({ raw }: FastifyRequest): boolean {
  const { headers, rawHeaders, httpVersion } = raw
  if (headers.host === undefined && httpVersion === '1.1') return true
  const names = rawHeaders.flatMap((text, index) => (index % 2 === 0 ? text.toLowerCase() : []))
  const once = names.filter((name) => SENT_ONCE.has(name))
  return new Set(once).size < once.length
}
