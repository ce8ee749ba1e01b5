import { change } from '../sessions/change.ts'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { LightMyRequestResponse } from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { buildApp } from '../app.ts'
import { jobs } from '../jobs.ts'
import type { FileStorage } from '../platform/file-storage.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { createHashing, HASH_COST, type HashCost } from '../platform/hashing.ts'
import { runIfDue } from '../platform/jobs/job.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { Mail, MailTransport } from '../platform/mail/transports.ts'
import { beginSession } from '../sessions/rules.ts'
import { insertUser } from '../users/queries.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'
import { createLinkedRows } from './linked-rows.ts'

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  headers?: Record<string, string>
  ip?: string | undefined
}

/** Sends requests to the API with a token. A `Buffer` is sent as a file, `URLSearchParams` as a form, others as JSON. */
export interface Client {
  get: (url: string, options?: RequestOptions) => Promise<LightMyRequestResponse>
  post: SendBody
  put: SendBody
  patch: SendBody
  delete: (url: string, options?: RequestOptions) => Promise<LightMyRequestResponse>
  send: (method: Method, ...request: Parameters<SendBody>) => Promise<LightMyRequestResponse>
}

type SendBody = (url: string, body?: unknown, options?: RequestOptions) => Promise<LightMyRequestResponse>

/** The body of a list. */
export interface List<Row = { id: string }> {
  data: Row[]
  count: number
}

export interface Person extends Client {
  id: string
  email: string
  password: string
  readonly token: string
}

interface TestAppOptions {
  /** Apps with the same database act as several servers. */
  database?: TestDatabase
  clock?: Clock
  realHashing?: boolean
  /** Sends mails as configured instead of collecting them. */
  realMail?: boolean
  /** The folder of a built SPA. Without it, there is only the API. */
  spaRoot?: string
  /** Accepts uploads, as if a resource had a field for files. */
  takesFiles?: true
  files?: FileStorage
}

type Clock = ReturnType<typeof createClock>

/** The lowest cost of the algorithm, because most tests are not about hashing. */
const CHEAP: HashCost = { memoryCost: 8, timeCost: 1 }

const DATA_DIR = join(tmpdir(), 'steward-test-data')

const NO_SPA = '/nonexistent'

export const nobody = '00000000-0000-4000-8000-000000000000'

export function createClock() {
  let time = Date.UTC(2026, 0, 1)
  return { now: () => time, advance: (ms: number) => (time += ms) }
}

/**
 * The whole server on an empty database, without a network, until the end of the test. Errors in its log fail the test.
 * @param settings environment variables to override
 */
export async function buildTestApp(settings: Record<string, string> = {}, options: TestAppOptions = {}) {
  const { database = await createTestDatabase(), clock = createClock(), realHashing, realMail, ...others } = options
  const config: Config = readConfig({ LOG_LEVEL: 'trace', SIGNUP_LIMIT_PER_HOUR: '1000', DATA_DIR, ...settings })
  const store = await database.open()
  const hashCost = realHashing ? HASH_COST : CHEAP
  const log = createLog()
  const mails: Mail[] = []
  const transport: MailTransport = {
    send: async (mail) => {
      mails.push(mail)
      return 'test'
    },
    close() {},
  }
  const { app, context, backups, mailJobs, worker, drain } = await buildApp({
    config,
    store,
    now: clock.now,
    hashCost,
    logStream: log.stream,
    spaRoot: NO_SPA,
    ...(!realMail && { transport }),
    ...others,
  })
  onTestFinished(async () => {
    // Otherwise, closing waits for idle connections.
    if (app.server.listening) app.server.close().closeAllConnections()
    await app.close()
    expect(log.unexpected()).toEqual([])
  })

  const linkedRows = createLinkedRows(store)
  /** Ids of accounts by token. */
  const owners = new Map<string, string>()

  async function send(
    token: string | undefined,
    method: Method,
    url: string,
    body: unknown,
    more: RequestOptions = {},
  ) {
    const headers: Record<string, string> = { ...more.headers }
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (body instanceof URLSearchParams) headers['content-type'] ??= 'application/x-www-form-urlencoded'
    else if (body instanceof Buffer) headers['content-type'] ??= 'application/octet-stream'
    else if (body !== undefined) headers['content-type'] ??= 'application/json'
    const owner = owners.get(token ?? '')
    const fill = async (text: string) => (owner === undefined ? text : linkedRows.fill(url, text, owner))
    const text = body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)
    const payload = body === undefined || body instanceof Buffer ? body : await fill(text)
    const address = await fill(url)
    const isEndless = url.endsWith('/events')
    const response: LightMyRequestResponse = await app.inject({
      method,
      url: url.startsWith('/api/') ? address : `/api/v1${address}`,
      headers,
      payloadAsStream: isEndless,
      ...(more.ip !== undefined && { remoteAddress: more.ip }),
      ...(payload !== undefined && { payload }),
    })
    if (!isEndless) {
      const cleaned = linkedRows.clean(response.body)
      return cleaned === response.body
        ? response
        : Object.assign(response, { body: cleaned, json: () => JSON.parse(cleaned) as never })
    }
    const [chunk] = (await once(response.stream(), 'data')) as [Buffer]
    response.stream().destroy()
    return Object.assign(response, { body: chunk.toString() })
  }

  /** Sends requests with a token, or with the token of a person, who may come from another server with the database. */
  function as(who: string | { token: string } | undefined): Client {
    const token = typeof who === 'object' ? who.token : who
    return {
      get: (url, more) => send(token, 'GET', url, undefined, more),
      post: (url, body, more) => send(token, 'POST', url, body, more),
      put: (url, body, more) => send(token, 'PUT', url, body, more),
      patch: (url, body, more) => send(token, 'PATCH', url, body, more),
      delete: (url, more) => send(token, 'DELETE', url, undefined, more),
      send: (method, url, body, more) => send(token, method, url, body, more),
    }
  }
  const anonymous = as(undefined)

  async function tryLogIn(username: string, password: string, more?: RequestOptions) {
    return anonymous.post('/login/access-token', new URLSearchParams({ username, password }), more)
  }

  async function logIn(email: string, password: string): Promise<string> {
    return (await tryLogIn(email, password)).json<{ access_token: string }>().access_token
  }

  /** Inserts an account with a confirmed address, and a session. */
  async function newUser(
    wanted: { email?: string; is_superuser?: boolean; is_active?: boolean; full_name?: string } = {},
  ): Promise<Person> {
    const id = randomUUID()
    const { email = `${id}@example.com`, is_superuser = false, is_active = true, ...facts } = wanted
    const password_hash = await knownHash(hashCost)
    const created_at = clock.now()
    const user = { id, email, email_key: emailKey(email), ...facts, password_hash, is_active, is_superuser }
    const device = { ip: '127.0.0.1', userAgent: undefined }
    const token = await change(context, device, {}, async (act) => {
      await insertUser(act.tx, { ...user, created_at, email_confirmed_at: created_at })
      return beginSession(act, { userId: id, method: 'password' }, device)
    })
    owners.set(token, id)
    return { id, email, password: knownPassword, token, ...as(token) }
  }

  async function newSession(person: Person): Promise<Person> {
    const token = await logIn(person.email, person.password)
    return { ...person, token, ...as(token) }
  }

  async function newApiToken(person: Person, scope: 'read' | 'write', name = 'Nightly export') {
    const expires_at = new Date(clock.now() + 30 * 86_400_000).toISOString()
    const answer = await as(person).post('/users/me/tokens', { name, scope, expires_at })
    const made = answer.json<{ id: string; token: string }>()
    if (scope === 'write') owners.set(made.token, person.id)
    return { ...made, ...as(made.token) }
  }

  /** Makes the server listen, if it does not yet. @returns its origin */
  async function listen(): Promise<string> {
    if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
    return app.listeningOrigin
  }

  const { signal } = new AbortController()
  const housekeeping = {
    async runAll(): Promise<void> {
      for (const job of jobs) await job.run(context, signal)
    },

    async runDue(onFailure: (error: unknown, job: string) => void): Promise<void> {
      for (const job of jobs) await runIfDue(context, job, signal).catch((error: unknown) => onFailure(error, job.name))
    },
  }

  const mailer = {
    deliverDue: () => Promise.all(mailJobs.map((job) => job.run(context, signal))),
  }

  async function deliverMails(): Promise<Mail[]> {
    await mailer.deliverDue()
    return mails.splice(0)
  }

  return {
    app,
    config,
    context,
    housekeeping,
    worker,
    backups,
    mailer,
    drain,
    store,
    database,
    clock,
    log,
    as,
    anonymous,
    tryLogIn,
    logIn,
    newUser,
    newSession,
    newApiToken,
    deliverMails,
    listen,
  }
}

export function statusAndBody(response: LightMyRequestResponse): [number, unknown] {
  return [response.statusCode, response.json()]
}

export function tokenIn(mail: { text: string } | undefined): string {
  const [, token] = /\/(?:reset-password|accept-invitation|confirm-email)\?token=([\w-]+)/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error('The mail has no link')
  return token
}

const ERROR = 50

function createLog() {
  let text = ''
  let expected = false
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  const lines = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { level: number }]))
  return {
    stream,
    lines,
    text: () => text,
    expectErrors: () => {
      expected = true
    },
    unexpected: () => (expected ? [] : lines().filter(({ level }) => level >= ERROR)),
  }
}

export const knownPassword = 'correct horse battery'
export const newPassword = 'another good password'
const hashed = new Map<HashCost, Promise<string>>()

async function knownHash(cost: HashCost): Promise<string> {
  const known = hashed.get(cost) ?? createHashing({ cost }).hash(knownPassword, 'tests')
  hashed.set(cost, known)
  return known
}
