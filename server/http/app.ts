import { join } from 'node:path'
import type { Writable } from 'node:stream'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import { createDomain, type Domain } from '../domain/domain.ts'
import type { HashCost } from '../domain/passwords.ts'
import { type Config, localUrl } from '../lib/config.ts'
import { createMailer, type Mailer } from '../mail/mailer.ts'
import { createMailTemplates } from '../mail/templates.ts'
import { createTransport, type MailTransport } from '../mail/transports.ts'
import type { Store } from '../store/store.ts'
import { sendClientError, sendError, sendFrameworkError } from './errors.ts'
import { createHandlers } from './handlers/handlers.ts'
import { logOptions } from './logger.ts'
import { apiDocs } from './plugins/api-docs.ts'
import { closeConnections } from './plugins/close-connections.ts'
import { contractRoutes } from './plugins/contract.ts'
import { allowOrigins } from './plugins/cors.ts'
import { health } from './plugins/health.ts'
import { housekeeping } from './plugins/housekeeping.ts'
import { httpRules } from './plugins/http-rules.ts'
import { unknownPaths } from './plugins/not-found.ts'
import { pendingAnswers } from './plugins/pending-answers.ts'
import { pipeliningInTurn } from './plugins/pipelining.ts'
import { proxyWarning } from './plugins/proxy-warning.ts'
import { securityHeaders } from './plugins/security-headers.ts'
import { readIndexHtml, spa } from './plugins/spa.ts'
import { makeDecodable } from './request-path.ts'

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
  /** From then on the server says that it is not ready, and still serves. */
  drain: () => void
}

/** The whole server, ready to listen or to be asked by `inject`. The only place where it is put together. */
export async function buildApp(options: AppOptions): Promise<App> {
  const {
    config,
    store,
    now = Date.now,
    spaRoot = join(import.meta.dirname, '../../dist'),
    logStream,
    hashCost,
  } = options
  const { transport = createTransport(config.mail) } = options
  const app = Fastify({
    ...logOptions(config.logLevel, logStream),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // `httpRules` refuses it, with an answer of our own.
      requireHostHeader: false,
    },
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    forceCloseConnections: 'idle',
    // While stopping, what still arrives is answered, and its connection closed: see closeConnections.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => makeDecodable(url),
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: sendClientError,
    // As long as a header may be: an address of any length is answered like any other that nobody has.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
  })
  const domain = createDomain({ store, config, now, hashCost })
  const { product, signUp } = config
  const { recovery, invitations, sessions, accounts } = domain
  const publicUrl = (): string => config.publicUrl ?? localUrl(config.host, portOf(app))
  const templates = createMailTemplates({ product, publicUrl })
  const mailer = createMailer({ store, recovery, invitations, templates, transport, log: app.log, now })
  let isDraining = false

  app.setErrorHandler(sendError)
  await app.register(pipeliningInTurn)
  await app.register(pendingAnswers)
  await app.register(closeConnections)
  await app.register(proxyWarning)
  await app.register(securityHeaders, {
    indexHtml: readIndexHtml(spaRoot),
    https: config.publicUrl?.startsWith('https:') ?? false,
  })
  await app.register(httpRules)
  await app.register(allowOrigins, { origins: config.corsOrigins })
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES })
  const isOwnOrigin = (origin: string): boolean =>
    origin === new URL(publicUrl()).origin || config.corsOrigins.includes(origin)
  await app.register(contractRoutes, {
    handlers: createHandlers(domain, { product, signUp, templates, isOwnOrigin }),
    sessions,
    refusals: { 'users-register_user': accounts.requireOpenSignUp },
  })
  if (config.apiDocs) await app.register(apiDocs)
  await app.register(health, { store, isDraining: () => isDraining })
  await app.register(spa, { root: spaRoot })
  await app.register(unknownPaths)
  await app.register(housekeeping, { task: domain.purgeExpired })
  app.addHook('onClose', async () => {
    await mailer.stop()
    await store.close()
  })
  const drain = (): void => {
    isDraining = true
  }
  return { app, domain, mailer, drain }
}

/** The port that the server listens at; 0 before it does. */
function portOf({ server }: FastifyInstance): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
