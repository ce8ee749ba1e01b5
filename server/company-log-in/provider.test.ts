import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type IdToken, startCompanyProvider } from '../../tests/support/company-provider.ts'
import type { TestApp } from '../test/build-test-app.ts'
import { buildCompanyApp, openBrowser, provideCompany, PUBLIC_URL } from '../test/company-browser.ts'

const MINUTE = 60_000
const ada = { email: 'ada@company.example', email_verified: true, name: 'Ada Lovelace' }
const company = provideCompany({ ada })
const { stage } = company

const me = async (app: TestApp, token: string) => (await app.as(token).get('/users/me')).json<Record<string, unknown>>()

describe('a provider', () => {
  test('that is away, slow or wrong does not keep the server from starting, and is asked again after 5 seconds', async () => {
    const { app, provider, browser } = await stage()
    let asked = 0
    provider.answerWith((request, response) => {
      if (!request.url?.endsWith('/openid-configuration')) return false
      asked += 1
      response.writeHead(500).end()
      return true
    })
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await browser.go('/login/oidc')).toBe('/login#oidc_error=unavailable')
    expect(asked).toBe(1)
    expect((await app.anonymous.get('/instance')).json()).toMatchObject({ oidc: { name: 'Company', log_out: null } })
    provider.answerWith(undefined)
    app.clock.advance(5_000)
    expect((await browser.complete(await browser.logIn())).statusCode).toBe(200)
    const { oidc } = (await app.anonymous.get('/instance')).json<{ oidc: { log_out: string } }>()
    expect(oidc.log_out).toBe(`${provider.issuer}/session/end`)
  })

  test('may replace its keys between two log-ins', async () => {
    const { provider, browser } = await stage()
    const first = await browser.enter()
    provider.restart()
    expect(await browser.enter()).not.toBe(first)
  })

  test('that does not answer at all is given up after 10 seconds', async () => {
    const { provider, browser } = await stage()
    const held: ServerResponse[] = []
    provider.answerWith((_request, response) => held.push(response) > 0)
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), 20)
      return controller.signal
    })
    expect(await browser.go('/login/oidc')).toBe('/login#oidc_error=unavailable')
    expect(timeout.mock.calls).toEqual([[10_000]])
    for (const response of held) response.end()
  })

  test('that is gone or broken when the browser comes back ends the log-in', async () => {
    const { app, provider, browser } = await stage()
    for (const answer of [500, 200]) {
      const callback = await browser.beginLogIn()
      provider.answerWith((request, response) => {
        if (!request.url?.endsWith('/token')) return false
        response.writeHead(answer, { 'content-type': 'application/json' }).end('{"error":"server_error"}')
        return true
      })
      expect(await browser.go(callback)).toBe('/login#oidc_error=failed')
      provider.answerWith(undefined)
    }
    expect(await app.store.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  test.each([
    ['no page to log in', { authorization_endpoint: undefined }],
    ['no address as its page to log in', { authorization_endpoint: 'authorize' }],
    ['a number as its page to log in', { authorization_endpoint: 1 }],
    ['a script as its page to log in', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a page to log in without TLS', { authorization_endpoint: 'http://evil.example/authorize' }],
    ['another issuer', { issuer: 'https://evil.example' }],
    ['no tokens', { token_endpoint: undefined }],
    ['keys without TLS', { jwks_uri: 'http://evil.example/jwks' }],
  ])('that has %s is not used', async (_what, changes) => {
    const { app, provider, browser } = await stage()
    const { issuer } = provider
    const settings = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    }
    let given: object = { ...settings, ...changes }
    provider.answerWith((request, response) => {
      if (!request.url?.endsWith('/openid-configuration')) return false
      response.setHeader('content-type', 'application/json').end(JSON.stringify(given))
      return true
    })
    expect(await browser.go('/login/oidc')).toBe('/login#oidc_error=unavailable')
    expect(app.log.text()).toContain('cannot be used')
    given = settings
    app.clock.advance(5_000)
    expect(await browser.go('/login/oidc')).toMatch(new RegExp(`^${issuer}/auth`))
  })

  /** Sends without end, as fast as it is read. */
  function flood(response: ServerResponse): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    let sent = 0
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const send = () => {
      do sent += chunk.length
      while (response.write(chunk))
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.on('drain', send).on('close', () => resolve(sent))
    send()
    return promise
  }

  test.each([
    ['/openid-configuration', 'unavailable'],
    ['/token', 'failed'],
    ['/jwks', 'failed'],
    ['/me', 'failed'],
  ])('that answers %s without end is read up to 1 MB', async (path, error) => {
    const { provider, browser } = await stage()
    provider.people.set('ada', { email: ada.email })
    let sent: Promise<number> | undefined
    const begin = () => browser.go('/login/oidc')
    const callback = error === 'failed' ? await browser.beginLogIn() : undefined
    provider.answerWith((request, response) => {
      if (!request.url?.endsWith(path)) return false
      sent = flood(response)
      return true
    })
    expect(await (callback === undefined ? begin() : browser.go(callback))).toBe(`/login#oidc_error=${error}`)
    // What the sockets hold is sent, too.
    expect(await sent).toBeLessThan(16 * 1024 * 1024)
  })

  test('has 10 seconds for all that follows its answer', async () => {
    const { provider, browser } = await stage()
    provider.people.set('ada', { email: ada.email })
    const callback = await browser.beginLogIn()
    const limits: { ms: number; controller: AbortController }[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController()
      limits.push({ ms, controller })
      return controller.signal
    })
    provider.answerWith((request) => {
      if (!request.url?.endsWith('/me')) return false
      limits[0]?.controller.abort(new DOMException('The operation timed out', 'TimeoutError'))
      return true
    })
    expect(await browser.go(callback)).toBe('/login#oidc_error=unavailable')
    expect(limits[0]?.ms).toBe(10_000)
  })

  test.each([
    ['one network', () => '192.0.2.1', 4],
    ['many networks', (index: number) => `192.0.2.${index}`, 8],
  ])('is asked by a few at a time: %s', async (_what, ipOf, most) => {
    const { provider, app } = await stage()
    const browsers = Array.from({ length: 12 }, () => openBrowser(app))
    const callbacks: string[] = []
    for (const browser of browsers) callbacks.push(await browser.beginLogIn())
    const held: (() => void)[] = []
    let atOnce = 0
    const isHeld = ({ url }: IncomingMessage) => url?.endsWith('/token') === true
    provider.answerWith((request, response) => {
      if (!isHeld(request)) return false
      held.push(() => response.writeHead(500).end())
      atOnce = Math.max(atOnce, held.length)
      return true
    })
    const ended: string[] = []
    const ends = browsers.map(async (browser, index) => {
      ended.push(await browser.go(callbacks[index] ?? '', { ip: ipOf(index) }))
    })
    while (ended.length < ends.length) {
      const before = ended.length
      await expect.poll(() => held.length).toBeGreaterThanOrEqual(Math.min(most, ends.length - before))
      for (const release of held.splice(0)) release()
      await expect.poll(() => ended.length).toBeGreaterThan(before)
    }
    await Promise.all(ends)
    expect(new Set(ended)).toEqual(new Set(['/login#oidc_error=failed']))
    expect(atOnce).toBe(most)
  })

  test.each([4.9, -4.9])('may have a clock that differs by %d minutes', async (minutes) => {
    const { app, browser } = await stage()
    app.clock.advance(minutes * MINUTE)
    expect(await browser.enter()).toBeTypeOf('string')
  })

  test('may refuse', async () => {
    const { browser } = await stage()
    const state = new URL(await browser.beginLogIn(), PUBLIC_URL).searchParams.get('state') ?? ''
    const iss = company.provider.issuer
    const path = '/api/v1/login/oidc/callback'
    const query = new URLSearchParams({ state, iss, error: 'access_denied', error_description: '<b>x</b>' })
    const denied = `${path}?${query.toString()}`
    expect(await browser.go(denied)).toBe('/login#oidc_error=denied')
    expect(await browser.go(denied)).toBe('/login#oidc_error=expired')
  })

  test.each<[string, (token: IdToken) => void]>([
    ['another issuer', ({ claims }) => (claims['iss'] = 'https://evil.example')],
    ['another client', ({ claims }) => (claims['aud'] = 'another')],
    ['another client, too', ({ claims }) => (claims['aud'] = ['another', 'steward'])],
    ['another party', ({ claims }) => (claims['azp'] = 'another')],
    ['another log-in', ({ claims }) => (claims['nonce'] = 'another')],
    ['the past', ({ claims }) => (claims['exp'] = Math.floor(Date.now() / 1000) - 310)],
    ['somebody without a name', ({ claims }) => (claims['sub'] = '\0')],
    ['somebody with a long name', ({ claims }) => (claims['sub'] = 'x'.repeat(256))],
    ['another signer', (token) => (token.signature = 'x'.repeat(342))],
    ['no signer', (token) => (token.signature = '')],
    [
      'no signer, and says so',
      (token) => {
        token.header['alg'] = 'none'
        token.signature = ''
      },
    ],
  ])('whose id token is of or for %s is not believed', async (_whom, change) => {
    const { app, provider, browser } = await stage()
    const callback = await browser.beginLogIn()
    provider.changeIdTokens(change)
    expect(await browser.go(callback)).toBe('/login#oidc_error=failed')
    expect(await app.store.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  test('may sign an id token for us that is still valid by 5 minutes', async () => {
    const { provider, browser } = await stage()
    provider.changeIdTokens(({ claims }) => (claims['exp'] = Math.floor(Date.now() / 1000) - 290))
    expect(await browser.enter()).toBeTypeOf('string')
  })

  test.each([
    ['that has the address in userinfo only', { emailInIdToken: false }, {}],
    ['for a public client', { client: { token_endpoint_auth_method: 'none' } }, { OIDC_CLIENT_SECRET: '' }],
  ] as const)('%s works, too', async (_what, options, settings) => {
    const other = await startCompanyProvider({ publicUrl: PUBLIC_URL, people: { ada }, ...options })
    onTestFinished(() => other.close())
    other.visitAs('ada')
    const app = await buildCompanyApp(other, settings)
    expect(await me(app, await openBrowser(app).enter())).toMatchObject({ email: ada.email, full_name: ada.name })
  })

  test('whose userinfo is about somebody else is not believed', async () => {
    const other = await startCompanyProvider({ publicUrl: PUBLIC_URL, people: { ada }, emailInIdToken: false })
    onTestFinished(() => other.close())
    other.visitAs('ada')
    const app = await buildCompanyApp(other)
    other.answerWith((request, response) => {
      if (!request.url?.startsWith('/me')) return false
      const person = { sub: 'ben', email: 'ben@company.example', email_verified: true }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(person))
      return true
    })
    expect(await openBrowser(app).logIn()).toBe('/login#oidc_error=failed')
  })
})
