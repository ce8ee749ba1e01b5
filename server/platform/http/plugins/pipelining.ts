import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { sendExpectationFailed } from '../errors.ts'

/** Requests that may wait on one connection. Browsers and proxies do not pipeline. */
const MAX_WAITING = 16

interface Connection {
  last: Promise<void>
  waiting: number
}

/** Handles the requests of a connection one at a time. Node starts all pipelined requests at once. */
export const pipelining = fp(async (app) => {
  const connections = new WeakMap<Socket, Connection>()

  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    // Fastify creates the signal on demand, and does not abort one that is created after the client has left.
    void request.signal
    const connection = connections.get(socket) ?? { last: Promise.resolve(), waiting: 0 }
    connections.set(socket, connection)
    const before = connection.last
    connection.last = new Promise((resolve) => reply.raw.once('close', resolve))
    connection.waiting += 1
    if (connection.waiting > MAX_WAITING) socket.destroy()
    await before
    connection.waiting -= 1
    // Without a client, nothing is started.
    if (socket.destroyed) reply.hijack()
  })
  app.server.on('checkExpectation', sendExpectationFailed)
})
