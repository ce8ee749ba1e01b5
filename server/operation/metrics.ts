import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../platform/context.ts'
import { ListenFailure } from '../platform/http/listen.ts'
import type { LogOutput } from '../platform/http/log-output.ts'
import type { Streams } from '../live/streams.ts'
import { isApiPath, isApiRequest } from '../platform/http/request-path.ts'
import { measureOutbox } from '../platform/mail/outbox.ts'
import { countSessions } from '../sessions/queries.ts'
import { validityAt } from '../sessions/checks.ts'
import type { Backups } from './backups.ts'
import { measureProcesses } from './processes.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ALARMING = [429, 500, 503]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface MetricsOptions {
  host: string
  port: number
  context: Context
  backups: Backups | undefined
  streams: Streams
  output: LogOutput
}

/** Serves metrics for Prometheus. No label contains client input, so the number of series is bounded. */
export const metrics = fp<MetricsOptions>(async (app, { host, port, context, backups, streams, output }) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  const requests = new Counter({
    name: 'steward_http_requests_total',
    help: 'Requests with a response',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'steward_http_request_duration_seconds',
    help: 'Time from a request until its response is sent',
    labelNames: ['route', 'method'],
    buckets: SECONDS,
    registers,
  })
  // Prometheus sees no increase when a series begins at 1, so series that alarms use begin at 0.
  app.addHook('onRoute', ({ url, method, schema }) => {
    // Operations have a schema. The routes that respond 405 to other methods have none.
    if (!isApiPath(url) || !schema) return
    for (const each of [method].flat())
      for (const status of ALARMING) requests.inc({ route: url, method: each, status }, 0)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = reply.statusCode === 405 ? 'none' : routeOf(request)
    const method = METHODS.has(request.method) ? request.method : 'other'
    requests.inc({ route, method, status: reply.statusCode })
    // The duration of an event stream says nothing about the server: the stream lasts as long as its client stays.
    if (reply.getHeader('content-type') !== 'text/event-stream')
      durations.observe({ route, method }, reply.elapsedTime / 1000)
  })

  /** Reads a value at each scrape. Omits the metric if the read fails. */
  function gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
    const figure: Gauge = new Gauge({
      name: `steward_${name}`,
      help,
      registers,
      async collect() {
        figure.remove()
        try {
          const value = await read()
          if (value !== undefined) figure.set(value)
        } catch (error) {
          app.log.warn({ err: error, figure: name }, 'metric unavailable')
        }
      },
    })
  }

  function counter(name: string, help: string, read: () => number): void {
    const figure: Counter = new Counter({
      name: `steward_${name}_total`,
      help,
      registers,
      collect() {
        figure.reset()
        figure.inc(read())
      },
    })
  }

  const { store, now, hashing, reads, recorded } = context
  gauge('password_hashes_running', 'Password hashes in progress', () => hashing.load().running)
  gauge('password_hashes_waiting', 'Password hashes that wait for a core', () => hashing.load().waiting)
  gauge('long_reads_running', 'Searches, sorts and deep pages in progress', () => reads.load().running)
  gauge('long_reads_waiting', 'Searches, sorts and deep pages that wait', () => reads.load().waiting)
  gauge('exports_running', 'Exports in progress', () => reads.exports())
  gauge('event_streams', 'Open streams of events', () => streams.load().open)
  counter('log_lines_lost', 'Lines of the log that could not be written', output.lost)
  counter('event_hints', 'Hints sent to streams', () => streams.load().hints)
  gauge('database_waiting', 'Queries that wait for a connection', () => store.waits.waiting)
  counter('database_waits', 'Queries that got a connection', () => store.waits.count)
  counter('database_wait_seconds', 'Total time that queries waited for a connection', () => store.waits.seconds)
  const processes = shareConcurrent(measureProcesses)
  gauge('processes', 'The server and its child processes', async () => (await processes())?.count)
  const ofMemory = 'Memory of the server and its child processes; what they share counts for each'
  gauge('resident_memory_bytes', ofMemory, async () => (await processes())?.residentBytes)
  const measure = shareConcurrent(() =>
    store.read(async (db) => ({
      ...(await measureOutbox(db)),
      sessions: await countSessions(db, validityAt(context)),
    })),
  )
  gauge('sessions', 'Valid sessions', async () => (await measure()).sessions)
  gauge('outbox_mails', 'Queued mails', async () => (await measure()).count)
  gauge('outbox_oldest_seconds', 'Age of the oldest queued mail, or 0', async () => {
    const { oldest } = await measure()
    return oldest === null ? 0 : (now() - oldest) / 1000
  })
  if (backups) {
    gauge('backup_last_success_timestamp_seconds', 'When the newest backup began', async () => {
      const at = await backups.lastGoodAt()
      return at === undefined ? undefined : at / 1000
    })
    counter('backup_failures', 'Backups that failed or lost more than half of the accounts', () => backups.failures())
  }
  const entries: Counter = new Counter({
    name: 'steward_audit_entries_total',
    help: 'Entries written to the audit log by this process',
    labelNames: ['action', 'result'],
    registers,
    collect() {
      entries.reset()
      for (const { action, result, count } of recorded.values()) entries.inc({ action, result }, count)
    },
  })

  async function respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== 'GET' || url !== '/metrics') return void response.writeHead(404).end()
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType }).end(text)
  }
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      app.log.error({ err: error }, 'metrics unavailable')
      response.destroy()
    })
  })
  app.addHook('onReady', async () => {
    try {
      server.listen({ host, port })
      await once(server, 'listening')
    } catch (error) {
      throw new ListenFailure(error, { host, port }, 'METRICS_')
    }
    app.log.info({ address: server.address() }, 'metrics server listening')
  })
  app.addHook('onClose', async () => {
    server.close()
    server.closeAllConnections()
  })
})

/** Scrapes at the same time share one read. */
function shareConcurrent<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read().finally(() => (reading = undefined)))
}

/** The route template of an operation or health check, `none` for unknown paths of the API, `web` for other paths. */
function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (isApiRequest(request)) return url ?? 'none'
  return url === '/livez' || url === '/readyz' ? url : 'web'
}
