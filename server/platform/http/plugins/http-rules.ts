import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { HttpError } from '../http-error.ts'

/** Duplicates of these are ambiguous: Node keeps the first, and a proxy may use another. */
const SENT_ONCE = new Set(['host', 'authorization', 'content-type'])

/** Rejects ambiguous requests and ignores unknown bodies, before routing. */
export const httpRules = fp(async (app) => {
  app.addHook('onRequest', async (request) => {
    if (isAmbiguous(request)) throw new HttpError(400, 'Bad Request')
  })
  // Only operations without a body accept other types. Their body is not read, and Node discards it.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
})

/** HTTP/1.1 requires a host (RFC 9112, 3.2). */
function isAmbiguous({ raw }: FastifyRequest): boolean {
  const { headers, rawHeaders, httpVersion } = raw
  if (headers.host === undefined && httpVersion === '1.1') return true
  const names = rawHeaders.flatMap((text, index) => (index % 2 === 0 ? text.toLowerCase() : []))
  const once = names.filter((name) => SENT_ONCE.has(name))
  return new Set(once).size < once.length
}
