import fp from 'fastify-plugin'
import { networkAddress } from '../../lib/network-address.ts'

/**
 * Warns once when a peer that TRUSTED_PROXIES does not name sends `X-Forwarded-For`. Behind a proxy that nobody named, all
 * people count as one address, and their limits are one.
 */
export const proxyWarning = fp(async (app) => {
  let warned = false
  app.addHook('onRequest', async (request) => {
    if (warned || request.headers['x-forwarded-for'] === undefined) return
    // The peer and, while each is trusted, the addresses before it.
    if ((request.ips?.length ?? 1) > 1) return
    warned = true
    const peer = networkAddress(request.socket.remoteAddress ?? '')
    request.log.warn({ peer }, 'X-Forwarded-For is ignored: TRUSTED_PROXIES does not name this peer')
  })
})
