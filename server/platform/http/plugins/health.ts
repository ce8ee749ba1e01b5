import type { FastifyPluginAsync } from 'fastify'
import type { Store } from '../../database/store.ts'
import { HttpError } from '../http-error.ts'

type Options = { store: Store; isDraining: () => boolean }

/** Not part of the API, and never logged. */
export const health: FastifyPluginAsync<Options> = async (app, { store, isDraining }) => {
  const options = { logLevel: 'silent' } as const
  let running: Promise<string | undefined> | undefined

  /** Concurrent requests share one check, because anybody may send them. */
  const findError = (): Promise<string | undefined> =>
    (running ??= store.findError().finally(() => (running = undefined)))

  app.get('/livez', options, async () => ({ status: 'alive' }))
  app.get('/readyz', options, async () => {
    // The server still serves, but a load balancer should send no more requests.
    if (isDraining()) throw new HttpError(503, 'This server is about to stop')
    const error = await findError()
    if (error !== undefined) throw new HttpError(503, `Not ready: ${error}`, { 'retry-after': '5' })
    return { status: 'ready' }
  })
}
