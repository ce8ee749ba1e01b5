import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerExpectation } from './errors.ts'

/** Said twice, they mean one thing to us and perhaps another to a proxy before us. Node keeps the first and forgets the rest. */
const SAID_ONCE = new Set(['host', 'authorization', 'content-type'])

/** What of HTTP itself is refused or left aside, ahead of every route. */
export function setHttpRules(app: FastifyInstance): void {
  app.server.on('checkExpectation', answerExpectation)
  app.addHook('onRequest', async (request, reply) => {
    if (isAmbiguous(request)) return reply.code(400).send({ detail: 'Bad Request' })
  })
  // Only operations that take no body let other types through: theirs is not read, and Node throws it away.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Also without a host, which HTTP/1.1 asks for (RFC 9112, 3.2). */
function isAmbiguous({ raw }: FastifyRequest): boolean {
  const { headers, rawHeaders, httpVersion } = raw
  if (headers.host === undefined && httpVersion === '1.1') return true
  const names = rawHeaders.flatMap((text, index) => (index % 2 === 0 ? text.toLowerCase() : []))
  const once = names.filter((name) => SAID_ONCE.has(name))
  return new Set(once).size < once.length
}
