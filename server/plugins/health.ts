import type { FastifyInstance } from 'fastify'
import type { Store } from '../store/store.ts'

/**
 * For whoever watches the server: is the process alive; can it serve. Not part of the API, and never logged.
 * @returns `drain`: from then on it is not ready, so that whoever spreads requests over servers sends no more, and serves
 * all the same
 */
export function serveHealth(app: FastifyInstance, store: Store): { drain: () => void } {
  const options = { logLevel: 'silent' } as const
  let draining = false
  app.get('/livez', options, async () => ({ status: 'alive' }))
  app.get('/readyz', options, async (_request, reply) => {
    if (draining) return reply.code(503).send({ detail: 'This server is about to stop' })
    await store.ready()
    return { status: 'ready' }
  })
  return {
    drain: () => {
      draining = true
    },
  }
}
