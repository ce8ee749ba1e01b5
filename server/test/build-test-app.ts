import { change } from '../sessions/change.ts'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { LightMyRequestResponse } from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { type AppOptions, buildApp } from '../app.ts'
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

export interface Person {
  id: string
  email: string
  password: string
  token: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  token?: string | undefined
  json?: unknown
  form?: Record<string, string>
  /** Of a file. */
  bytes?: Buffer | undefined
  headers?: Record<string, string>
  ip?: string
}

interface TestAppOptions {
  /** Apps with the same database act as several servers. */
  database?: TestDatabase
  clock?: Clock
  /** Uses the hashing cost of production. */
  realHashing?: boolean
  /** Sends mails as configured instead of collecting them. */
  realMail?: boolean
  /** A built SPA to serve. Without it, there is only the API. */
  spaRoot?: string
  /** Takes uploads, as if a resource had a field for a file. */
  takesFiles?: true
  files?: FileStorage
}

type Clock = ReturnType<typeof createClock>

/** The lowest cost that the algorithm allows, as most tests are not about hashing. */
const CHEAP: HashCost = { memoryCost: 8, timeCost: 1 }

/** Keeps temporary files out of the working directory. */
const DATA_DIR = join(tmpdir(), 'steward-test-data')

/** Makes tests independent of a built SPA. */
const NO_SPA = '/nonexistent'

/** An id that no user or item has. */
export const nobody = '00000000-0000-4000-8000-000000000000'

/** A clock that only moves when a test advances it. */
export function createClock() {
  let time = Date.UTC(2026, 0, 1)
  return { now: () => time, advance: (ms: number) => (time += ms) }
}

/**
 * The whole server on an empty database, without a network. It closes after the test. The test fails if the server logs
 * an error without `log.expectErrors()`.
 * @param settings environment variables to override
 */
export async function buildTestApp(settings: Record<string, string> = {}, options: TestAppOptions = {}) {
  const {
    database = await createTestDatabase(),
    clock = createClock(),
    realHashing,
    realMail,
    spaRoot = NO_SPA,
    takesFiles,
    files,
  } = options
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
  const appOptions: AppOptions = {
    config,
    store,
    now: clock.now,
    hashCost,
    logStream: log.stream,
    spaRoot,
    ...(takesFiles && { takesFiles }),
    ...(files && { files }),
  }
  const { app, context, backups, mailJobs, worker, drain } = await buildApp(
    realMail ? appOptions : { ...appOptions, transport },
  )
  onTestFinished(async () => {
    await app.close()
    expect(log.unexpected()).toEqual([])
  })

  const linkedRows = createLinkedRows(store)
  /** The accounts of tokens. */
  const owners = new Map<string, string>()

  async function request(method: Method, url: string, requested: RequestOptions = {}) {
    const { token, json, form, bytes, ip } = requested
    const headers: Record<string, string> = { ...requested.headers }
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (form) headers['content-type'] = 'application/x-www-form-urlencoded'
    if (json !== undefined) headers['content-type'] ??= 'application/json'
    if (bytes) headers['content-type'] ??= 'application/octet-stream'
    const given = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json)
    const owner = owners.get(token ?? '')
    const fill = async (text: string) => (owner === undefined ? text : linkedRows.fill(url, text, owner))
    const payload = bytes ?? (given === undefined ? undefined : await fill(given))
    const address = await fill(url)
    const isEndless = url.endsWith('/events')
    const response: LightMyRequestResponse = await app.inject({
      method,
      url: url.startsWith('/api/') ? address : `/api/v1${address}`,
      headers,
      payloadAsStream: isEndless,
      ...(ip !== undefined && { remoteAddress: ip }),
      ...(payload !== undefined && { payload }),
    })
    if (!isEndless) {
      const body = linkedRows.clean(response.body)
      return body === response.body
        ? response
        : Object.assign(response, { body, json: () => JSON.parse(body) as never })
    }
    const [chunk] = (await once(response.stream(), 'data')) as [Buffer]
    response.stream().destroy()
    return Object.assign(response, { body: chunk.toString() })
  }

  async function logIn(email: string, password: string): Promise<string> {
    const response = await request('POST', '/login/access-token', { form: { username: email, password } })
    return response.json<{ access_token: string }>().access_token
  }

  /** Inserts an account with a confirmed address, and a session, into the database. */
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
    return { id, email, password: knownPassword, token }
  }

  /** Creates an API token for 30 days. */
  async function newApiToken(person: Person, scope: 'read' | 'write', name = 'Nightly export') {
    const expires_at = new Date(clock.now() + 30 * 86_400_000).toISOString()
    const json = { name, scope, expires_at }
    const response = await request('POST', '/users/me/tokens', { token: person.token, json })
    const made = response.json<{ id: string; token: string }>()
    if (scope === 'write') owners.set(made.token, person.id)
    return made
  }

  async function newItem(person: Person, title = 'An item'): Promise<string> {
    const response = await request('POST', '/items/', { token: person.token, json: { title } })
    return response.json<{ id: string }>().id
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
    async deliverDue(): Promise<void> {
      await Promise.all(mailJobs.map((job) => job.run(context, signal)))
    },
  }

  /** Sends queued mails. @returns the sent mails */
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
    request,
    logIn,
    newUser,
    newApiToken,
    newItem,
    deliverMails,
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

/** All accounts of tests share one hash. */
async function knownHash(cost: HashCost): Promise<string> {
  const known = hashed.get(cost) ?? createHashing({ cost }).hash(knownPassword, 'tests')
  hashed.set(cost, known)
  return known
}
