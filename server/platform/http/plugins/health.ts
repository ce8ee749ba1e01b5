import type { FastifyPluginAsync } from 'fastify'
import type { Store } from '../../database/store.ts'
import { HttpError } from '../http-error.ts'

interface HealthOptions {
  store: Store
  /** Whether the server stops soon. It still serves, but a load balancer should send no more requests. */
  isDraining: () => boolean
}

/** Liveness and readiness checks. Not part of the API, and never logged. */
export const health: FastifyPluginAsync<HealthOptions> = async (app, { store, isDraining }) => {
  const options = { logLevel: 'silent' } as const
  let running: Promise<string | undefined> | undefined

  /** Requests at the same time share one check, as anybody may ask. */
  async function findError(): Promise<string | undefined> {
    running ??= store.findError().finally(() => {
      running = undefined
    })
    return running
  }

  app.get('/livez', options, async () => ({ status: 'alive' }))
  app.get('/readyz', options, async () => {
    if (isDraining()) throw new HttpError(503, 'This server is about to stop')
    const error = await findError()
    if (error !== undefined) throw new HttpError(503, `Not ready: ${error}`, { 'retry-after': '5' })
    return { status: 'ready' }
  })
}
