import { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { sendExpectationFailed } from '../errors.ts'

/** Requests that may wait on one connection. Browsers and proxies do not pipeline. */
const MAX_WAITING = 16

interface Connection {
  last: Promise<void>
  waiting: number
}

/**
 * Handles pipelined requests one by one, because Node starts all of them at once. Suspends Fastify's
 * `connectionTimeout`, which would close a connection while a handler works.
 */
export const connections = fp(async (app) => {
  const known = new WeakMap<Socket, Connection>()

  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    // Fastify creates the signal on demand, and does not abort one that is created after the client has left.
    void request.signal
    const connection = known.get(socket) ?? { last: Promise.resolve(), waiting: 0 }
    known.set(socket, connection)
    const before = connection.last
    connection.last = new Promise((resolve) => reply.raw.once('close', resolve))
    connection.waiting += 1
    if (connection.waiting > MAX_WAITING) socket.destroy()
    await before
    connection.waiting -= 1
    // The client is gone, so no work is started.
    if (socket.destroyed) reply.hijack()
  })
  app.addHook('preHandler', async ({ raw }) => setIdleTimeout(raw.socket, 0))
  app.addHook('onSend', async ({ raw }) => setIdleTimeout(raw.socket, app.server.timeout))
  app.server.on('checkExpectation', sendExpectationFailed)
})

function setIdleTimeout(socket: Socket, ms: number): void {
  // Requests of tests (`inject`) have no socket.
  if (socket instanceof Socket) socket.setTimeout(ms)
}
