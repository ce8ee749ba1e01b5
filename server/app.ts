import { join } from 'node:path'
import type { Writable } from 'node:stream'
import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { requireOpenSignUp } from './accounts/rules.ts'
import { createContext } from './context.ts'
import { jobs } from './jobs.ts'
import { createStreams, type Sources } from './live/streams.ts'
import { mails } from './mails.ts'
import { backupJob, createBackups } from './operation/backups.ts'
import { metrics } from './operation/metrics.ts'
import { type Config, localUrl } from './platform/config.ts'
import { sqliteFile } from './platform/database/open.ts'
import type { Store } from './platform/database/store.ts'
import { requireFileFields } from './files/rules.ts'
import type { FileStorage } from './platform/file-storage.ts'
import type { HashCost } from './platform/hashing.ts'
import { sendClientError, sendError, sendFrameworkError } from './platform/http/errors.ts'
import { portOf } from './platform/http/listen.ts'
import { createLogOutput } from './platform/http/log-output.ts'
import { logOptions } from './platform/http/logger.ts'
import { apiDocs } from './platform/http/plugins/api-docs.ts'
import { closeConnections } from './platform/http/plugins/close-connections.ts'
import { connections } from './platform/http/plugins/connections.ts'
import { contractRoutes } from './platform/http/plugins/contract.ts'
import { allowOrigins } from './platform/http/plugins/cors.ts'
import { largeResponses } from './platform/http/plugins/large-responses.ts'
import { health } from './platform/http/plugins/health.ts'
import { httpRules } from './platform/http/plugins/http-rules.ts'
import { unknownPaths } from './platform/http/plugins/not-found.ts'
import { requestTimeout } from './platform/http/plugins/request-timeout.ts'
import { securityHeaders } from './platform/http/plugins/security-headers.ts'
import { readIndexHtml, spa } from './platform/http/plugins/spa.ts'
import { createRequestIds, requestIds } from './platform/http/request-ids.ts'
import { escapeInvalid } from './platform/http/request-path.ts'
import { createWorker } from './platform/jobs/worker.ts'
import { emailKey } from './platform/lib/email-address.ts'
import { createMailJobs } from './platform/mail/mailer.ts'
import { createTransport, type MailTransport } from './platform/mail/transports.ts'
import { resources, takesFiles as hasFileFields } from './resources.ts'
import { createRoutes } from './routes.ts'
import { authorize, authorizeBody } from './sessions/request.ts'
import { requireLiveSession } from './sessions/checks.ts'
import { readUserVersions, setMailRefused } from './users/queries.ts'

/** Enough for a text of 10,000 characters, each written as two JSON escapes such as `\ud83d\ude00`. */
const MAX_BODY_BYTES = 128 * 1024
/** Ten times the size of an import of 2,000 rows with ordinary names and addresses. */
const MAX_IMPORT_BYTES = 2 * 1024 ** 2
/** Within this time the headers of a request must arrive, and so must its body, unless the body is an uploaded file. */
const REQUEST_TIMEOUT_MS = 30_000
/** Idle connections are closed after this time, because a response that the client does not read stays in memory. */
const IDLE_TIMEOUT_MS = 60_000
const TIMEOUT_CHECK_MS = 5_000

const sources: Sources = {
  users: readUserVersions,
  ...Object.fromEntries(resources.map(({ table, readVersions }) => [table, readVersions])),
}

/** Only tests set the optional properties. */
interface AppOptions {
  config: Config
  /** Open and migrated. The server closes it. */
  store: Store
  /** The clock, in milliseconds since 1970. Tests replace it. */
  now?: () => number
  /** The folder of the built SPA. */
  spaRoot?: string
  logStream?: Writable
  transport?: MailTransport
  hashCost?: HashCost
  /** Whether the server accepts uploads. By default it does if a resource has a field for a file. */
  takesFiles?: boolean
  files?: FileStorage
}

export async function buildApp(options: AppOptions) {
  const { config, store, now = Date.now, spaRoot = join(import.meta.dirname, '../dist'), logStream, hashCost } = options
  const { transport = createTransport(config.mail), takesFiles = hasFileFields } = options
  const output = createLogOutput(logStream && ((bytes) => (logStream.write(bytes), bytes.length)))
  const app = Fastify({
    ...logOptions({ level: config.logLevel, format: config.logFormat, output }),
    genReqId: createRequestIds(config.trustedProxies),
    bodyLimit: MAX_BODY_BYTES,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // `httpRules` rejects a request without a host, in our response format.
      requireHostHeader: false,
    },
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    forceCloseConnections: 'idle',
    // Requests that arrive while the server stops are served; see closeConnections.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => escapeInvalid(url),
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: sendClientError,
    // Node's limit for all headers of a request, so that a long email address in the path reaches its handler.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
  })
  const publicUrl = (): string => config.publicUrl ?? localUrl(config.host, portOf(app))
  const stopping = new AbortController()
  const context = createContext({
    store,
    config,
    now,
    publicUrl,
    hashCost,
    stopping: stopping.signal,
    warn: (message) => app.log.warn(message),
    files: options.files,
  })
  const mailJobs = createMailJobs(context, {
    mails,
    transport,
    log: app.log,
    onAnswer: (tx, address, isRefused) => setMailRefused(tx, emailKey(address), isRefused ? now() : null),
  })
  const backups = config.backups && createBackups({ store, database: sqliteFile(config), plan: config.backups, now })
  const streams = createStreams(context, sources, app.log)
  let isDraining = false

  app.setErrorHandler(sendError)
  if (config.metrics) await app.register(metrics, { ...config.metrics, context, backups, streams, output })
  await app.register(requestIds)
  await app.register(connections)
  await app.register(requestTimeout, { ms: REQUEST_TIMEOUT_MS })
  await app.register(closeConnections, { endWork: () => stopping.abort() })
  await app.register(securityHeaders, {
    indexHtml: readIndexHtml(spaRoot),
    https: config.publicUrl?.startsWith('https:') ?? false,
  })
  await app.register(httpRules)
  await app.register(allowOrigins, { origins: config.corsOrigins })
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES })
  app.decorateRequest('actor', null)
  await app.register(largeResponses, {
    accountOf: ({ actor }) => actor?.user.id,
    requireLiveSession: async ({ actor }) => (actor ? requireLiveSession(context, actor) : undefined),
  })
  await app.register(contractRoutes, {
    handlers: createRoutes(context, streams),
    authorize: (request, operation) => authorize(context, request, operation),
    authorizeBody: (request, operation) => authorizeBody(context, request, operation),
    bodyLimits: { 'users-import_users': MAX_IMPORT_BYTES },
    refusals: {
      'users-register_user': () => requireOpenSignUp(context),
      'files-upload_file': () => requireFileFields(takesFiles),
    },
  })
  if (config.apiDocs) await app.register(apiDocs)
  await app.register(health, { store, isDraining: () => isDraining })
  await app.register(spa, {
    root: spaRoot,
    instance: {
      // The URL for logging out at the provider is not known before the provider has sent its settings.
      oidc: config.oidc ? { name: config.oidc.name, log_out: null } : null,
      password_log_in: config.passwordLogIn,
      mail: config.mail.smtpUrl !== undefined,
    },
  })
  await app.register(unknownPaths)
  app.addHook('onListen', async () => context.provider?.prepare())
  const worker = createWorker(
    context,
    [...jobs, ...mailJobs, ...(backups ? [backupJob(backups, app.log)] : [])],
    app.log,
  )
  let stopped: Promise<unknown> | undefined
  app.addHook('preClose', async () => {
    stopped = Promise.all([worker.stop(), streams.close()])
  })
  app.addHook('onClose', async () => {
    await stopped
    transport.close()
    await store.close()
  })
  /** Makes `/readyz` report that the server is not ready, while it continues to serve requests. */
  const drain = (): void => void (isDraining = true)
  return { app, context, backups, mailJobs, worker, drain }
}
