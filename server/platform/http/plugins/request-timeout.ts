import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'

const withSlowBody = new WeakSet<IncomingMessage>()

/** Lets the handler decide how long the body of a request may take. */
export function allowSlowBody(request: IncomingMessage): void {
  withSlowBody.add(request)
}

/** Node's own limit for bodies is the same for all requests, but files take longer. */
export const requestTimeout = fp<{ ms: number }>(async (app, { ms }) => {
  app.server.on('request', (request: IncomingMessage) => {
    if (request.complete) return
    const check = setInterval(() => {
      // Node reports its own timeout for bodies in the same way.
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      if (!withSlowBody.has(request) && !request.complete) app.server.emit('clientError', error, request.socket)
    }, ms)
    check.unref()
    request.once('close', () => clearInterval(check))
  })
})
