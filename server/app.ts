import { join } from 'node:path'
import type { Writable } from 'node:stream'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { createDomain, type Domain } from './domain/domain.ts'
import type { HashCost } from './domain/passwords.ts'
import { createHandlers } from './handlers/handlers.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { createMailTemplates } from './mail/templates.ts'
import { createTransport, type MailTransport } from './mail/transports.ts'
import { serveApiDocs } from './plugins/api-docs.ts'
import { serveContract } from './plugins/contract.ts'
import { allowOrigins } from './plugins/cors.ts'
import { answerClientError, answerFrameworkError, setErrorHandlers } from './plugins/errors.ts'
import { serveHealth } from './plugins/health.ts'
import { handlePipelinedRequestsInTurn } from './plugins/pipelining.ts'
import { warnOfUntrustedProxy } from './plugins/proxy-warning.ts'
import { setHttpRules } from './plugins/http-rules.ts'
import { logOptions } from './plugins/logger.ts'
import { setSecurityHeaders } from './plugins/security-headers.ts'
import { closeConnections } from './plugins/close-connections.ts'
import { makeDecodable } from './plugins/request-path.ts'
import { readIndexHtml, serveSpa } from './plugins/spa.ts'
import { scheduleHousekeeping } from './plugins/housekeeping.ts'
import type { Store } from './store/store.ts'

const MAX_BODY_BYTES = 64 * 1024
/** For the whole of a request to arrive; who sends slower than that only keeps a connection busy. */
const REQUEST_TIMEOUT_MS = 30_000
/** A connection on which nothing moves for so long is closed: a client that does not read keeps its answer in memory. */
const IDLE_TIMEOUT_MS = 60_000
/** How often Node looks which requests are out of time. */
const TIMEOUT_CHECK_MS = 5_000

export interface AppOptions {
  config: Config
  /** Open and migrated. The app closes it when it closes. */
  store: Store
  /** Milliseconds since 1970; tests move it. */
  now?: () => number
  /** Where the built SPA lies. */
  spaRoot?: string
  /** Where the log goes, instead of the standard output. */
  logStream?: Writable
  /** How mails leave, instead of the configured way. */
  transport?: MailTransport
  /** Tests that are not about hashing make it cheap. */
  hashCost?: HashCost
}

export interface App {
  app: FastifyInstance
  domain: Domain
  mailer: Mailer
  /** Says to whoever asks that it is about to stop, and serves on. */
  drain: () => void
}

/** The whole server, ready to listen or to be asked by `inject`. The only place where it is put together. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { config, store, now = Date.now, spaRoot = join(import.meta.dirname, '../dist'), logStream, hashCost } = options
  const { transport = createTransport(config.mail) } = options
  const app = Fastify({
    ...logOptions(config.logLevel, logStream),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Refused by setHttpRules, with an answer of our own.
      requireHostHeader: false,
    },
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    forceCloseConnections: 'idle',
    // While stopping, what still arrives is answered, and its connection closed: see closeConnections.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => makeDecodable(url),
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
    // As long as a header may be: an address of any length is answered like any other that nobody has.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
  })
  const domain = createDomain({ store, config, now, hashCost })
  const templates = createMailTemplates(config)
  const { recovery } = domain
  const mailer = createMailer({ store, recovery, templates, transport, log: app.log, now })

  setErrorHandlers(app)
  handlePipelinedRequestsInTurn(app)
  closeConnections(app)
  warnOfUntrustedProxy(app)
  await setSecurityHeaders(app, { indexHtml: readIndexHtml(spaRoot), https: config.publicUrl.startsWith('https:') })
  setHttpRules(app)
  await allowOrigins(app, config.corsOrigins)
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES })
  const ownOrigins = [new URL(config.publicUrl).origin, ...config.corsOrigins]
  const handlers = createHandlers(domain, { templates, ownOrigins })
  await serveContract(app, { handlers, sessions: domain.sessions })
  if (config.apiDocs) serveApiDocs(app)
  const { drain } = serveHealth(app, store)
  await serveSpa(app, { root: spaRoot })
  scheduleHousekeeping(app, domain.tidyUp)
  app.addHook('onClose', async () => {
    await mailer.stop()
    await store.close()
  })
  return { app, domain, mailer, drain }
}
