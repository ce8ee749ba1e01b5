import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'

/** The time to accept connections in the system's queue, which are reset when the server stops listening. */
const ACCEPT_MS = 100
/** How long idle connections stay open while the server stops, so that requests already sent on them arrive. */
const GRACE_MS = 1_000

/**
 * While the server stops, every response closes its connection, because a kept connection would delay the stop. New
 * connections are refused soon. Idle ones stay open for a while, as a request may be in transit on any of them.
 */
export const closeConnections = fp(async (app) => {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    if (!app.server.listening) return
    await sleep(ACCEPT_MS)
    const { promise: allEnded, resolve } = Promise.withResolvers<void>()
    // The `close` of the HTTP server closes idle connections at once. Fastify calls it afterwards.
    Server.prototype.close.call(app.server, () => resolve())
    await Promise.race([allEnded, sleep(GRACE_MS)])
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
})
