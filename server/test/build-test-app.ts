import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { buildApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { emailKey } from '../domain/email-address.ts'
import { sqliteDialect } from '../store/sqlite.ts'
import { openStore } from '../store/store.ts'
import { insertUser } from '../store/users.ts'

/** Somebody with an account and a session. */
export interface Person {
  id: string
  email: string
  password: string
  token: string
}

interface RequestOptions {
  token?: string
  json?: object
  form?: Record<string, string>
  headers?: Record<string, string>
}

/** A clock that stands still until it is moved. */
function createClock() {
  let time = Date.UTC(2026, 0, 1)
  return { now: () => time, advance: (ms: number) => (time += ms) }
}

/**
 * The real server over an empty database of its own, asked without a network. It closes when the test is over.
 * @param settings environment variables to override
 */
export async function buildTestApp(settings: Record<string, string> = {}) {
  const clock = createClock()
  const config: Config = readConfig({ LOG_LEVEL: 'silent', ...settings })
  const store = await openStore(sqliteDialect(':memory:'))
  const { app, domain } = await buildApp({ config, store, now: clock.now })
  onTestFinished(() => app.close())

  async function request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    options: RequestOptions = {},
  ) {
    const { token, json, form } = options
    const headers: Record<string, string> = { ...options.headers }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (form) headers['content-type'] = 'application/x-www-form-urlencoded'
    const payload = form ? new URLSearchParams(form).toString() : json
    const response: LightMyRequestResponse = await app.inject({
      method,
      url: `/api/v1${url}`,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    return response
  }

  async function logIn(email: string, password: string): Promise<string> {
    const response = await request('POST', '/login/access-token', { form: { username: email, password } })
    return response.json<{ access_token: string }>().access_token
  }

  /** A new account, put into the database directly, with a session. */
  async function newUser(
    options: { email?: string; is_superuser?: boolean; is_active?: boolean; full_name?: string } = {},
  ): Promise<Person> {
    const id = randomUUID()
    const { email = `${id}@example.com`, is_superuser = false, is_active = true, full_name = null } = options
    await insertUser(store.db, {
      id,
      email,
      email_key: emailKey(email),
      full_name,
      password_hash: await knownHash(),
      is_active,
      is_superuser,
      created_at: clock.now(),
    })
    const token = await domain.sessions.begin(store.db, id)
    return { id, email, password: knownPassword, token }
  }

  return { app, config, domain, store, clock, request, logIn, newUser }
}

const knownPassword = 'correct horse battery'
let hashed: Promise<string> | undefined
/** Hashing is slow on purpose; one hash serves every account that a test makes. */
async function knownHash(): Promise<string> {
  const { createPasswords } = await import('../domain/passwords.ts')
  hashed ??= createPasswords().hash(knownPassword)
  return hashed
}
