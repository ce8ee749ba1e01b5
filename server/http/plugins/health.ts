import type { FastifyPluginAsync } from 'fastify'
import type { Store } from '../../store/store.ts'
import { HttpError } from '../http-error.ts'

interface HealthOptions {
  store: Store
  /** The server is about to stop and is not ready any more, but still serves. A load balancer sends it no more requests. */
  isDraining: () => boolean
}

/** Is the process alive; can it serve. Not part of the API, and never logged. */
export const health: FastifyPluginAsync<HealthOptions> = async (app, { store, isDraining }) => {
  const options = { logLevel: 'silent' } as const
  app.get('/livez', options, async () => ({ status: 'alive' }))
  app.get('/readyz', options, async () => {
    if (isDraining()) throw new HttpError(503, 'This server is about to stop')
    await store.ready()
    return { status: 'ready' }
  })
}
