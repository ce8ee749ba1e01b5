import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { sendExpectationFailed } from '../errors.ts'

/** Requests that may wait on one connection. Browsers and proxies do not pipeline. */
const MAX_WAITING = 16

interface Connection {
  busy: boolean
  waiting: (() => void)[]
}

/**
 * Handles the requests of a connection one at a time, before anything else. Node starts all pipelined requests at once,
 * and keeps unread responses in memory.
 */
export const pipeliningInTurn = fp(async ({ server }) => {
  const connections = new WeakMap<Socket, Connection>()

  function inTurn(listener: RequestListener): RequestListener {
    return (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
      const { socket } = request
      if (socket.destroyed) return
      const connection = connections.get(socket) ?? { busy: false, waiting: [] }
      connections.set(socket, connection)
      const start = (): void => {
        connection.busy = true
        response.once('close', () => {
          connection.busy = false
          if (!socket.destroyed) connection.waiting.shift()?.()
        })
        listener(request, response)
      }
      if (!connection.busy) start()
      else if (connection.waiting.length < MAX_WAITING) connection.waiting.push(start)
      else socket.destroy()
    }
  }

  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  for (const listener of listeners) server.on('request', inTurn(listener))
  server.on('checkExpectation', inTurn(sendExpectationFailed))
})
