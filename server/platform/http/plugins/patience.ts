import { Socket } from 'node:net'
import fp from 'fastify-plugin'

/**
 * Keeps a connection open while a handler works. Fastify's `connectionTimeout` closes connections without traffic, for
 * clients that do not send or read, but would also cut a request that is worked on for longer.
 */
export const patience = fp(async (app) => {
  app.addHook('preHandler', async ({ raw }) => setIdleTimeout(raw.socket, 0))
  app.addHook('onSend', async ({ raw }) => setIdleTimeout(raw.socket, app.server.timeout))
})

function setIdleTimeout(socket: Socket, ms: number): void {
  // `inject` has no socket.
  if (socket instanceof Socket) socket.setTimeout(ms)
}
