import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { HttpError } from '../http-error.ts'

/** Sent twice, they mean one thing here and perhaps another to a proxy. Node keeps the first and drops the rest. */
const SENT_ONCE = new Set(['host', 'authorization', 'content-type'])

/** What of HTTP itself is refused or ignored, ahead of every route. */
export const httpRules = fp(async (app) => {
  app.addHook('onRequest', async (request) => {
    if (isAmbiguous(request)) throw new HttpError(400, 'Bad Request')
  })
  // Only operations that take no body let other types through. Their body is not read, and Node discards it.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
})

/** Also without a host, which HTTP/1.1 asks for (RFC 9112, 3.2). */
function isAmbiguous({ raw }: FastifyRequest): boolean {
  const { headers, rawHeaders, httpVersion } = raw
  if (headers.host === undefined && httpVersion === '1.1') return true
  const names = rawHeaders.flatMap((text, index) => (index % 2 === 0 ? text.toLowerCase() : []))
  const once = names.filter((name) => SENT_ONCE.has(name))
  return new Set(once).size < once.length
}
