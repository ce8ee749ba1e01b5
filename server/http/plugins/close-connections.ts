import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'

/** While the system has connections that wait to be accepted, they would be cut if the server stopped listening. */
const ACCEPT_MS = 100
/** How long a kept connection may go on while stopping: a request that was sent on it already has arrived by then. */
const GRACE_MS = 1_000

/**
 * From the moment of stopping every answer ends its connection: one that is kept alive would hold the stop up. New ones
 * are refused soon; those that seem idle are closed only after a while, as a request may be under way on any of them.
 */
export const closeConnections = fp(async (app) => {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    if (!app.server.listening) return
    await sleep(ACCEPT_MS)
    const { promise: allEnded, resolve } = Promise.withResolvers<void>()
    // Not the HTTP server's own, which closes idle connections at once. Fastify calls that one next.
    Server.prototype.close.call(app.server, () => resolve())
    await Promise.race([allEnded, sleep(GRACE_MS)])
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
})
