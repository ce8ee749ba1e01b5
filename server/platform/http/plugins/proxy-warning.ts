import fp from 'fastify-plugin'
import { networkAddress } from '../../lib/network-address.ts'

/**
 * Warns once when a peer outside TRUSTED_PROXIES sends `X-Forwarded-For`. Behind a proxy that is not listed, all users
 * have the same address and share its limits.
 */
export const proxyWarning = fp(async (app) => {
  let warned = false
  app.addHook('onRequest', async (request) => {
    if (warned || request.headers['x-forwarded-for'] === undefined) return
    // `ips` has the peer and, if it is trusted, the forwarded addresses.
    if ((request.ips?.length ?? 1) > 1) return
    warned = true
    const peer = networkAddress(request.socket.remoteAddress ?? '')
    request.log.warn({ peer }, 'X-Forwarded-For is ignored: TRUSTED_PROXIES does not name this peer')
  })
})
