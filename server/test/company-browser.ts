import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type CompanyPerson, type CompanyProvider, startCompanyProvider } from '../../tests/support/company-provider.ts'
import { buildTestApp, type Method, type RequestOptions, type TestApp } from './build-test-app.ts'

export const PUBLIC_URL = 'http://localhost:8000'

/** One provider for the tests of a file. Each test begins with these people, of whom `ada` visits. */
export function provideCompany(people: Record<string, CompanyPerson>) {
  let started: CompanyProvider | undefined
  beforeAll(async () => {
    started = await startCompanyProvider({ publicUrl: PUBLIC_URL, people })
  })
  beforeEach(() => {
    started?.people.clear()
    for (const [sub, person] of Object.entries(people)) started?.people.set(sub, person)
    started?.visitAs('ada')
    started?.answerWith(undefined)
    started?.changeIdTokens(undefined)
  })
  afterAll(() => started?.close())
  const get = (): CompanyProvider => {
    if (!started) throw new Error('The provider has not started')
    return started
  }
  return {
    get provider() {
      return get()
    },
    /** A server with this provider, and a browser. */
    stage: async (settings: Record<string, string> = {}) => {
      const app = await buildCompanyApp(get(), settings)
      return { app, provider: get(), browser: openBrowser(app) }
    },
  }
}

/** The clock of this machine, as the provider has it, with an offset. */
function createRealClock() {
  let offset = 0
  return { now: () => Date.now() + offset, advance: (ms: number) => (offset += ms) }
}

export function buildCompanyApp(
  { settings: ofProvider }: Pick<CompanyProvider, 'settings'>,
  settings: Record<string, string> = {},
  options: Parameters<typeof buildTestApp>[1] = {},
): Promise<TestApp> {
  return buildTestApp({ PUBLIC_URL, ...ofProvider, ...settings }, { clock: createRealClock(), ...options })
}

interface BrowserOptions extends RequestOptions {
  token?: string
}

function keep(cookies: Map<string, string>, given: string | readonly string[] = []): void {
  for (const one of [given].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

const header = (cookies: Map<string, string>) => Array.from(cookies, (one) => one.join('=')).join('; ')

/** A browser with the cookies of the server and of the provider. */
export function openBrowser(app: TestApp) {
  const ours = new Map<string, string>()
  const theirs = new Map<string, string>()

  async function send(method: Method, url: string, body?: unknown, { token, ...options }: BrowserOptions = {}) {
    const { host } = new URL(PUBLIC_URL)
    const headers = { host, ...(ours.size > 0 && { cookie: header(ours) }), ...options.headers }
    const response = await app.as(token).send(method, url, body, { ...options, headers })
    keep(ours, response.headers['set-cookie'])
    return response
  }

  /** Goes to the provider, until it sends the browser back. @returns the path of the callback */
  async function authenticate(url: string): Promise<string> {
    let next = url
    for (let step = 0; step < 10; step += 1) {
      const response = await fetch(next, { redirect: 'manual', headers: { cookie: header(theirs) } })
      keep(theirs, response.headers.getSetCookie())
      const location = response.headers.get('location')
      if (location === null) throw new Error(`The provider says ${response.status}: ${await response.text()}`)
      next = new URL(location, next).href
      if (next.startsWith(`${PUBLIC_URL}/`)) return next.slice(PUBLIC_URL.length)
    }
    throw new Error('The provider never sends the browser back')
  }

  /** @returns where the browser is sent */
  async function go(path: string, options?: RequestOptions): Promise<string> {
    const response = await send('GET', path, undefined, options)
    if (response.statusCode !== 303) throw new Error(`${path.replace(/\?.*/, '')} answers ${response.statusCode}`)
    return String(response.headers.location)
  }

  /** Begins a log-in. @returns where the provider sends the browser */
  async function beginLogIn(returnTo = '/'): Promise<string> {
    return authenticate(await go(`/login/oidc?return_to=${encodeURIComponent(returnTo)}`))
  }

  /** @returns the page where a log-in ends, before it is completed */
  async function logIn(returnTo?: string): Promise<string> {
    return go(await beginLogIn(returnTo))
  }

  function complete(place: string) {
    const [, code = 'none'] = /^\/login#oidc=(.+)$/.exec(place) ?? []
    return send('POST', '/login/oidc/complete', { code })
  }

  return {
    cookies: ours,
    send,
    go,
    authenticate,
    beginLogIn,
    logIn,
    complete,

    /** @returns the access token of a new session */
    async enter(): Promise<string> {
      const place = await logIn()
      const answer = await complete(place)
      if (answer.statusCode !== 200) throw new Error(`The log-in ends at ${place}`)
      return answer.json<{ access_token: string }>().access_token
    },

    /** Confirms or connects with a session. @returns the page where that ends */
    async returnFrom(path: string, token: string, json?: object): Promise<string> {
      const answer = await send('POST', path, json, { token })
      const { url } = answer.json<{ url?: string }>()
      if (url === undefined) throw new Error(`${path} answers ${answer.statusCode}: ${answer.body}`)
      return go(await authenticate(url))
    },
  }
}
