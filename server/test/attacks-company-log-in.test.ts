import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import type { IdToken } from '../../tests/support/company-provider.ts'
import { insertIdentity } from '../sign-in/identity-queries.ts'
import { newPassword, nobody, statusAndBody, tokenIn } from './build-test-app.ts'
import { buildCompanyApp, openBrowser, provideCompany, PUBLIC_URL } from './company-browser.ts'
import { register } from './ceremonies.ts'

const MINUTE = 60_000
const ada = { email: 'ada@company.example', email_verified: true }
const company = provideCompany({ ada, mallory: { email: 'mallory@company.example', email_verified: true } })

async function stage(settings: Record<string, string> = {}) {
  const { provider } = company
  provider.visitAs('ada')
  const app = await buildCompanyApp(provider, settings)
  return { app, provider, browser: openBrowser(app) }
}

describe('the account of somebody else', () => {
  test('is not connected by an address that nobody confirmed: it may be prepared by another', async () => {
    const { app, browser } = await stage()
    const json = { email: ada.email, password: newPassword }
    expect((await app.anonymous.post('/users/signup', json)).statusCode).toBe(200)
    expect(await browser.logIn()).toBe('/login#oidc_error=connect-first')
    expect(await app.store.db.selectFrom('identities').selectAll().execute()).toEqual([])
  })

  test('that another prepared with a passkey and a session loses both when its owner comes', async () => {
    const { app, browser } = await stage({ CONFIRM_EMAIL: 'on' })
    const json = { email: ada.email, password: newPassword }
    await app.anonymous.post('/users/signup', json)
    const token = await app.logIn(ada.email, newPassword)
    await register(app.as(token))
    // The owner uses the link that was mailed, and then the company account.
    await app.store.db
      .updateTable('users')
      .set({ email_confirmed_at: app.clock.now() + 1000 })
      .execute()
    const own = await browser.enter()
    expect((await app.as(token).get('/users/me')).statusCode).toBe(401)
    expect(await app.logIn(ada.email, newPassword)).toBeUndefined()
    const factors = (await app.as(own).get('/users/me/second-factor')).json()
    expect(factors).toMatchObject({ passkeys: 0 })
  })

  test('that another connected with their own company account loses it with the first mailed reset', async () => {
    const { app, provider, browser } = await stage()
    await app.anonymous.post('/users/signup', { email: ada.email, password: newPassword })
    const token = await app.logIn(ada.email, newPassword)
    provider.visitAs('mallory')
    expect(await browser.returnFrom('/users/me/identities/options', token)).toBe('/security')
    await app.deliverMails()
    await app.anonymous.post(`/password-recovery/${ada.email}`)
    const link = tokenIn((await app.deliverMails()).find(({ kind }) => kind === 'recovery'))
    const json = { token: link, new_password: 'the password of the owner' }
    const reset = await app.anonymous.post('/reset-password/', json)
    expect(reset.json<{ message: string }>().message).toBe(
      'Password updated successfully. The connected accounts that were set up before this address was confirmed were removed',
    )
    const mallory = await browser.enter()
    expect((await app.as(mallory).get('/users/me')).json()).toMatchObject({
      email: 'mallory@company.example',
    })
  })

  test('is not connected by an address at another domain whose lower case is the same', async () => {
    const { app, provider, browser } = await stage()
    await app.newUser({ email: 'ada@οδος-1.example' })
    provider.people.set('ada', { email: 'ada@ΟΔΟΣ-1.example', email_verified: true })
    expect(await browser.logIn()).toBe('/login#oidc_error=no-account')
  })

  test('is not entered by the same name at another provider', async () => {
    const { app, browser } = await stage()
    const other = await app.newUser({ email: 'somebody@else.example' })
    const identity = { id: nobody, user_id: other.id, issuer: 'https://other.example', subject: 'ada', email: null }
    await app.store.transaction((tx) => insertIdentity(tx, { ...identity, created_at: 1, last_used_at: null }))
    const token = await browser.enter()
    expect((await app.as(token).get('/users/me')).json()).toMatchObject({ email: ada.email })
  })

  test('that its owner or an administrator disconnected is not connected again by the address', async () => {
    const { app, browser } = await stage()
    const { db } = app.store
    const token = await browser.enter()
    const password = { new_password: newPassword }
    await app.as(token).patch('/users/me/password', password)
    const root = await app.newUser({ is_superuser: true })
    const { id } = (await app.as(token).get('/users/me')).json<{ id: string }>()
    for (const [path, by] of [
      ['/users/me', token],
      [`/users/${id}`, root.token],
    ] as const) {
      const { data } = (await app.as(by).get(`${path}/identities`)).json<{
        data: { id: string }[]
      }>()
      expect((await app.as(by).delete(`${path}/identities/${data[0]?.id}`)).statusCode).toBe(200)
      expect(await browser.logIn()).toBe('/login#oidc_error=connect-first')
      expect((await app.as(token).get('/users/me')).statusCode).toBe(200)
      // By hand, it may come back.
      expect(await browser.returnFrom('/users/me/identities/options', token)).toBe('/security')
      expect(await db.selectFrom('disconnected_identities').selectAll().execute()).toEqual([])
      expect(await browser.enter()).toBeTypeOf('string')
    }
    const { data } = (await app.as(token).get('/users/me/identities')).json<{ data: { id: string }[] }>()
    await app.as(token).delete(`/users/me/identities/${data[0]?.id}`)
    expect((await app.as(token).delete('/users/me')).statusCode).toBe(200)
    expect(await db.selectFrom('disconnected_identities').selectAll().execute()).toEqual([])
    expect(await browser.enter()).toBeTypeOf('string')
  })

  test('is not entered by an id token that vouches for the address of userinfo, which says no', async () => {
    const { app, provider, browser } = await stage()
    await app.newUser({ email: ada.email })
    provider.people.set('ada', { email: ada.email, email_verified: false })
    provider.changeIdTokens(({ claims }) => {
      delete claims['email']
      claims['email_verified'] = true
    })
    expect(await browser.logIn()).toBe('/login#oidc_error=not-verified')
  })

  test('is not connected by an address that only compatibility characters make equal', async () => {
    const { app, provider, browser } = await stage()
    await app.newUser({ email: 'fiona@company.example' })
    provider.people.set('ada', { email: 'ﬁona@company.example', email_verified: true })
    expect(await browser.logIn()).toBe('/login#oidc_error=not-verified')
    expect(await app.store.db.selectFrom('identities').select('id').execute()).toEqual([])
  })

  test('with an identity of this provider is not connected with another one', async () => {
    const { provider, browser } = await stage()
    await browser.enter()
    provider.people.set('other', ada)
    provider.restart()
    provider.visitAs('other')
    expect(await browser.logIn()).toBe('/login#oidc_error=connect-first')
  })
})

describe('a log-in', () => {
  test('is not taken to another browser, before or after the callback', async () => {
    const { app, browser } = await stage()
    const victim = openBrowser(app)
    const callback = await browser.beginLogIn()
    expect(await victim.go(callback)).toBe('/login#oidc_error=expired')
    // With a cookie of their own, too.
    await victim.beginLogIn()
    expect(await victim.go(callback)).toBe('/login#oidc_error=expired')
    const place = await browser.go(callback)
    expect((await victim.complete(place)).json()).toEqual({
      detail: 'This log-in has expired, please start again',
    })
    expect((await browser.complete(place)).statusCode).toBe(200)
    expect((await browser.complete(place)).statusCode).toBe(400)
  })

  test('ends once, also of two callbacks and two completions at once', async () => {
    const { browser } = await stage()
    const callback = await browser.beginLogIn()
    const places = await Promise.all([browser.go(callback), browser.go(callback)])
    const [place = '', ...others] = places.toSorted((one) => (one.includes('oidc=') ? -1 : 1))
    expect(others).toEqual(['/login#oidc_error=expired'])
    const { cookies } = browser
    const cookie = `steward_oidc=${cookies.get('steward_oidc')}`
    const json = { code: place.split('oidc=')[1] }
    const answers = await Promise.all(
      [1, 2].map(() => browser.send('POST', '/login/oidc/complete', json, { headers: { cookie } })),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 400]))
  })

  test('in a second tab replaces that in the first', async () => {
    const { browser } = await stage()
    const first = await browser.beginLogIn()
    const second = await browser.beginLogIn()
    expect(await browser.go(first)).toBe('/login#oidc_error=expired')
    expect((await browser.complete(await browser.go(second))).statusCode).toBe(200)
  })

  test('ends 10 minutes after its begin, and 60 seconds after the callback', async () => {
    const { app, browser } = await stage()
    const callback = await browser.beginLogIn()
    const place = await browser.logIn()
    app.clock.advance(61_000)
    expect((await browser.complete(place)).statusCode).toBe(400)
    app.clock.advance(10 * MINUTE)
    expect(await browser.go(callback)).toBe('/login#oidc_error=expired')
  })

  test.each([
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/\t/evil.example', '/'],
    ['/..//evil.example', '/'],
    ['evil', '/'],
    [`/${'x'.repeat(2_100)}`, '/'],
    ['/items?q=ä&page=2#fragment', '/items?q=%C3%A4&page=2'],
  ])('does not lead to another site: %j', async (given, expected) => {
    const { browser } = await stage()
    const answer = await browser.complete(await browser.logIn(given))
    expect(answer.json()).toMatchObject({ return_to: expected })
  })

  test('from another site begins with a press on our page', async () => {
    const { browser } = await stage()
    expect(await browser.go('/login/oidc', { headers: { 'sec-fetch-site': 'cross-site' } })).toBe('/login')
    expect(browser.cookies.size).toBe(0)
    const place = await browser.logIn()
    const json = { code: place.split('oidc=')[1] }
    const headers = { origin: 'https://evil.example' }
    expect((await browser.send('POST', '/login/oidc/complete', json, { headers })).statusCode).toBe(400)
  })

  test('puts no token, code or cookie in an address or a log', async () => {
    const { app, browser } = await stage()
    const callback = await browser.beginLogIn()
    const cookie = browser.cookies.get('steward_oidc') ?? ''
    const place = await browser.go(callback)
    const token = (await browser.complete(place)).json<{ access_token: string }>().access_token
    const { searchParams } = new URL(callback, PUBLIC_URL)
    const [code, state] = [searchParams.get('code') ?? '', searchParams.get('state') ?? '']
    expect(new Set([code, state, cookie, token, place.split('oidc=')[1]]).size).toBe(5)
    for (const secret of [code, state, cookie, token, place.split('oidc=')[1]])
      expect(app.log.text()).not.toContain(secret)
    expect(place).not.toContain(token)
    const rows = JSON.stringify(await app.store.db.selectFrom('challenges').selectAll().execute())
    expect(rows).not.toContain(cookie)
  })

  test('does not go on when the account is deactivated or the identity removed meanwhile', async () => {
    const { app, browser } = await stage()
    const token = await browser.enter()
    const { id } = (await app.as(token).get('/users/me')).json<{ id: string }>()
    const root = await app.newUser({ is_superuser: true })
    const patch = (is_active: boolean) => root.patch(`/users/${id}`, { is_active })
    const place = await browser.logIn()
    await patch(false)
    await patch(true)
    expect((await browser.complete(place)).statusCode).toBe(400)

    const another = await browser.logIn()
    const url = `/users/${id}/identities`
    const { data } = (await root.get(url)).json<{ data: { id: string }[] }>()
    expect((await root.delete(`${url}/${data[0]?.id}`)).statusCode).toBe(200)
    expect((await browser.complete(another)).statusCode).toBe(400)
  })

  test('is fresh only if the person authenticated at the provider within 5 minutes', async () => {
    const { app, provider, browser } = await stage()
    const isFresh = async () => {
      const token = await browser.enter()
      return (await app.as(token).post('/users/me/passkeys/options')).statusCode === 200
    }
    expect(await isFresh()).toBe(true)
    provider.restart()
    provider.visitAs('ada', Math.floor(Date.now() / 1000) - 310)
    expect(await isFresh()).toBe(false)
  })

  test('comes back to PUBLIC_URL, whatever host a proxy asks for, with a cookie for https only', async () => {
    const app = await buildCompanyApp(company.provider, { PUBLIC_URL: 'https://steward.example' })
    const headers = { host: 'internal:8000' }
    const moved = String((await app.anonymous.get('/login/oidc?return_to=/items', { headers })).headers.location)
    expect(moved).toBe('https://steward.example/api/v1/login/oidc?return_to=%2Fitems&moved=yes')
    const answer = await app.anonymous.get(moved.replace('https://steward.example', ''), { headers })
    const { searchParams } = new URL(String(answer.headers.location))
    expect(searchParams.get('redirect_uri')).toBe('https://steward.example/api/v1/login/oidc/callback')
    expect(answer.headers['set-cookie']).toMatch(
      /^steward_oidc=[\w-]{43}; Path=\/api\/v1\/login\/oidc; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('of the same new person in two browsers at once gives one account', async () => {
    const { app } = await stage()
    const tokens = await Promise.all([openBrowser(app).enter(), openBrowser(app).enter()])
    expect(new Set(tokens).size).toBe(2)
    expect(await app.store.db.selectFrom('users').select('id').execute()).toHaveLength(1)
  })

  test('goes to a new account after the old one was deleted', async () => {
    const { app, browser } = await stage()
    const token = await browser.enter()
    expect((await app.as(token).delete('/users/me')).statusCode).toBe(200)
    expect(await app.store.db.selectFrom('identities').select('id').execute()).toEqual([])
    expect(await browser.enter()).not.toBe(token)
  })

  test('ends in words while the database is away, and is no failure of the session', async () => {
    const { app, browser } = await stage()
    const callback = await browser.beginLogIn()
    const { db } = app.store
    const gone = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    vi.spyOn(db, 'deleteFrom').mockImplementation(() => {
      throw gone
    })
    expect(await browser.go(callback)).toBe('/login#oidc_error=unavailable')
    vi.restoreAllMocks()
    expect(await browser.go(callback)).toMatch(/^\/login#oidc=/)
  })

  test('is bounded for each network, its begin and its end', async () => {
    const { app, browser } = await stage()
    const { db } = app.store
    await browser.logIn()
    const callback = await browser.beginLogIn()
    // What nobody began counts nothing: other sites send a browser there.
    const counts = () => db.selectFrom('limits').select(['key', 'used']).orderBy('key').execute()
    const before = await counts()
    expect(await browser.go('/login/oidc/callback?state=x&code=x')).toBe('/login#oidc_error=expired')
    expect(await counts()).toEqual(before)
    await db.updateTable('limits').set({ used: 100 }).execute()
    expect(await browser.go('/login/oidc')).toBe('/login#oidc_error=too-many')
    expect(await browser.go(callback)).toBe('/login#oidc_error=too-many')
    expect(await browser.go(callback, { ip: '192.0.2.1' })).toMatch(/^\/login#oidc=/)
    expect(await browser.go('/login/oidc', { ip: '192.0.2.1' })).toContain(company.provider.issuer)
  })

  test('a connection and a confirmation are bounded for each account, their begins and their ends', async () => {
    const { app, browser } = await stage()
    const token = await browser.enter()
    const begin = async (path: string, json?: object, ip = '192.0.2.1') =>
      browser.send('POST', path, json, { token, ip })
    const begun = await begin('/users/me/identities/options')
    const callback = await browser.authenticate(begun.json<{ url: string }>().url)
    const { db } = app.store
    await db.updateTable('limits').set({ used: 60 }).execute()
    const refused = await begin('/users/me/identities/options', undefined, '192.0.2.2')
    expect(statusAndBody(refused)).toEqual([429, { detail: 'Too many tries, please try again later' }])
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect((await begin('/users/me/confirm/oidc', { return_to: '/' }, '192.0.2.2')).statusCode).toBe(429)
    expect(await browser.go(callback)).toBe('/security#oidc_error=too-many')
  })

  test.each([
    '/login/oidc?return_to=/a&return_to=/b',
    '/login/oidc/callback?code=1&code=2',
    '/login/oidc/callback?state=1&state=2',
  ])('with a parameter given twice leads to the page: %s', async (path) => {
    const { browser } = await stage()
    expect(await browser.go(path)).toBe('/login')
    expect(browser.cookies.size).toBe(0)
  })

  test('at another name of the host goes to PUBLIC_URL first, where its cookie is', async () => {
    const { browser } = await stage()
    const headers = { host: '127.0.0.1:8000' }
    const moved = await browser.go('/login/oidc?return_to=/items', { headers })
    expect(moved).toBe(`${PUBLIC_URL}/api/v1/login/oidc?return_to=%2Fitems&moved=yes`)
    expect(browser.cookies.size).toBe(0)
    const place = await browser.go(await browser.authenticate(await browser.go(moved.slice(PUBLIC_URL.length))))
    expect((await browser.complete(place)).json()).toMatchObject({ return_to: '/items' })
  })
})

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

  const sends = (response: ServerResponse, body: object) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

  test.each([
    ['no page to log in', { authorization_endpoint: undefined }],
    ['no address as its page to log in', { authorization_endpoint: 'authorize' }],
    ['a number as its page to log in', { authorization_endpoint: 1 }],
    ['a script as its page to log in', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a page to log in without TLS', { authorization_endpoint: 'http://evil.example/authorize' }],
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
      sends(response, given)
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

  test('that names another issuer is not used', async () => {
    const { app, provider, browser } = await stage()
    provider.answerWith((request, response) => {
      if (!request.url?.endsWith('/openid-configuration')) return false
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer: 'https://evil.example' }))
      return true
    })
    expect(await browser.go('/login/oidc')).toBe('/login#oidc_error=unavailable')
    expect(app.log.text()).toContain('OIDC_ISSUER cannot be used')
  })

  test.each([4.9, -4.9])('may have a clock that differs by %d minutes', async (minutes) => {
    const { app, browser } = await stage()
    app.clock.advance(minutes * MINUTE)
    expect(await browser.enter()).toBeTypeOf('string')
  })

  test('may refuse', async () => {
    const { browser } = await stage()
    const callback = await browser.beginLogIn()
    const state = new URL(callback, PUBLIC_URL).searchParams.get('state') ?? ''
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
})
