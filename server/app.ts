import { join } from 'node:path'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { createDomain, type Domain } from './domain/domain.ts'
import { createHandlers } from './handlers/handlers.ts'
import { serveContract } from './plugins/contract.ts'
import { setErrorHandlers } from './plugins/errors.ts'
import { serveHealth } from './plugins/health.ts'
import { logOptions } from './plugins/logger.ts'
import { setSecurityHeaders } from './plugins/security-headers.ts'
import { readIndexHtml, serveSpa } from './plugins/spa.ts'
import type { Store } from './store/store.ts'

const MAX_BODY_BYTES = 64 * 1024

export interface AppOptions {
  config: Config
  /** Open and migrated. The app closes it when it closes. */
  store: Store
  /** Milliseconds since 1970; tests move it. */
  now?: () => number
  /** Where the built SPA lies. */
  spaRoot?: string
}

/** The whole server, ready to listen or to be asked by `inject`. The only place where it is put together. */
export async function buildApp(options: AppOptions): Promise<{ app: FastifyInstance; domain: Domain }> {
  const { config, store, now = Date.now, spaRoot = join(import.meta.dirname, '../dist') } = options
  const app = Fastify({
    ...logOptions(config.logLevel),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
  })
  const domain = createDomain({ store, config, now })
  setErrorHandlers(app)
  await setSecurityHeaders(app, { indexHtml: readIndexHtml(spaRoot), https: config.publicUrl.startsWith('https:') })
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES })
  await serveContract(app, { handlers: createHandlers(domain), sessions: domain.sessions })
  serveHealth(app, store)
  await serveSpa(app, { root: spaRoot })
  app.addHook('onClose', () => store.close())
  return { app, domain }
}
