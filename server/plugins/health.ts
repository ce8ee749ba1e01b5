import type { FastifyInstance } from 'fastify'
import type { Store } from '../store/store.ts'

/** For whoever watches the server: is the process alive; can it serve. Not part of the API, and never logged. */
export function serveHealth(app: FastifyInstance, store: Store): void {
  const options = { logLevel: 'silent' } as const
  app.get('/livez', options, async () => ({ status: 'alive' }))
  app.get('/readyz', options, async () => {
    await store.ready()
    return { status: 'ready' }
  })
}
