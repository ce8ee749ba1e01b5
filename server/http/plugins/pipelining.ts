import type { Socket } from 'node:net'
import fp from 'fastify-plugin'

/** Requests that may wait on one connection. Browsers and proxies do not pipeline at all. */
const MAX_WAITING = 16

interface Connection {
  waiting: number
  /** Resolves when the answer to the request before is handed to the system, or nobody reads it any more. */
  lastAnswer: Promise<void>
}

/**
 * Handles the requests of a connection one after the other. Node begins all pipelined requests at once, and keeps the
 * answers of a client that does not read them.
 */
export const pipeliningInTurn = fp(async (app) => {
  const connections = new WeakMap<Socket, Connection>()

  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const connection = connections.get(socket) ?? { waiting: 0, lastAnswer: Promise.resolve() }
    connections.set(socket, connection)
    const { promise, resolve } = Promise.withResolvers<void>()
    reply.raw.once('finish', resolve).once('close', resolve)
    const before = connection.lastAnswer
    connection.lastAnswer = promise
    if (connection.waiting === MAX_WAITING) socket.destroy()
    connection.waiting += 1
    await before
    connection.waiting -= 1
    if (!socket.destroyed) return
    resolve()
    return reply.hijack()
  })
})
