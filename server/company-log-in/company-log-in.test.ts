import { describe, expect, test, vi } from 'vitest'
import type { IdentitiesPublic } from '../contract/types.gen.ts'
import { insertIdentity } from '../sign-in/identity-queries.ts'
import { newPassword, nobody, statusAndBody, type TestApp } from '../test/build-test-app.ts'
import { resetByMail } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import { register } from '../test/ceremonies.ts'
import { buildCompanyApp, openBrowser, provideCompany, PUBLIC_URL } from '../test/company-browser.ts'

const MINUTE = 60_000
const ada = { email: 'ada@company.example', email_verified: true, name: 'Ada Lovelace' }
const mallory = { email: 'mallory@company.example', email_verified: true }
const company = provideCompany({ ada, mallory })
const { stage } = company

const me = async (app: TestApp, token: string) => (await app.as(token).get('/users/me')).json<Record<string, unknown>>()

const audit = async (app: TestApp) =>
  (await auditOf(app)).map(({ action, result, details }) => [action, result, details])

describe('a person whom nobody knows yet', () => {
  test('gets an account without a password, and the same one later', async () => {
    const { app, provider, browser } = await stage()
    const place = await browser.logIn('/settings?page=2')
    expect(place).toMatch(/^\/login#oidc=[\w-]{43}$/)
    const answer = await browser.complete(place)
    const session = { access_token: expect.any(String), token_type: 'bearer', return_to: '/settings?page=2' }
    expect(answer.json()).toEqual(session)
    expect(browser.cookies.size).toBe(0)
    const token = answer.json<{ access_token: string }>().access_token
    const first = await me(app, token)
    const states = { is_active: true, is_superuser: false, is_invited: false, email_confirmed_at: expect.any(String) }
    expect(first).toMatchObject({ email: 'ada@company.example', full_name: 'Ada Lovelace', ...states })
    expect((await app.as(token).get('/users/me/identities')).json()).toMatchObject({
      count: 1,
      has_password: false,
      data: [{ issuer: provider.issuer, email: ada.email, last_used_at: expect.any(String) }],
    })
    // The provider may call them something else later.
    provider.people.set('ada', { email: 'lovelace@company.example', email_verified: true, name: 'Countess' })
    expect(await me(app, await browser.enter())).toEqual({ ...first, last_active_at: expect.any(String) })
    const identity = { issuer: provider.issuer, email: ada.email }
    expect(await audit(app)).toEqual([
      ['sign-up', 'done', { method: 'oidc' }],
      ['identity-create', 'done', identity],
      ['log-in', 'done', { method: 'oidc' }],
      ['log-in', 'done', { method: 'oidc' }],
    ])
    const notice = [[ada.email, 'A company account was connected to your Steward account']]
    expect((await app.deliverMails()).map(({ to, subject }) => [to, subject])).toEqual(notice)
  })

  test('gets none where sign-up is closed', async () => {
    const { app, browser } = await stage({ SIGN_UP: 'closed' })
    expect(await browser.logIn()).toBe('/login#oidc_error=no-account')
    expect(await app.store.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  test.each([
    [`  ${'x'.repeat(254)}\u{1F600}yz `, `${'x'.repeat(254)}\u{1F600}`],
    ['A\0da \uD800', 'Ada'],
    ['a\r\nBcc:\u2028 eve@evil.example\x7F', 'aBcc: eve@evil.example'],
    ['\u200B', null],
    [{ first: 'Ada' }, null],
  ])('has a name as the contract allows it: %j', async (name, expected) => {
    const { app, provider, browser } = await stage()
    provider.changeIdTokens(({ claims }) => (claims['name'] = name))
    expect(await me(app, await browser.enter())).toMatchObject({ full_name: expected })
  })

  test('needs no second factor, also where one is required', async () => {
    const { app, browser } = await stage({ SECOND_FACTOR: 'all', SECRET_KEY: 'x'.repeat(32) })
    expect(await me(app, await browser.enter())).toMatchObject({ email: ada.email })
  })

  test.each([
    ['says so', 'verified', { email_verified: true }, true],
    ['says nothing', 'verified', {}, 'not-verified'],
    ['says nothing, and the setting trusts it', 'always', {}, false],
    ['says no, and the setting trusts it', 'always', { email_verified: false }, 'not-verified'],
    ['names no address', 'always', { email: 'nobody' }, 'not-verified'],
  ] as const)('is whom the address says if the provider %s', async (_what, trust, claims, expected) => {
    const { app, provider, browser } = await stage({ OIDC_TRUST_EMAIL: trust, CONFIRM_EMAIL: 'on' })
    provider.people.set('ada', { email: ada.email, ...claims })
    const outcome = async () => {
      const place = await browser.logIn()
      const [, error] = /#oidc_error=(.*)/.exec(place) ?? []
      if (error !== undefined) return error
      const token = (await browser.complete(place)).json<{ access_token: string }>().access_token
      return (await me(app, token))['email_confirmed_at'] !== null
    }
    expect(await outcome()).toBe(expected)
    const mails = (await app.deliverMails()).map(({ subject }) => subject)
    expect(mails.includes('Confirm your email address for Steward')).toBe(expected === false)
  })
})

describe('an account with the address', () => {
  test('that is invited accepts its invitation', async () => {
    const { app, browser } = await stage({ SIGN_UP: 'closed' })
    const root = await app.newUser({ is_superuser: true })
    const json = { email: 'Ada@Company.example', full_name: 'A. L.', is_superuser: true }
    const { link } = (await root.post('/users/invite', json)).json<{ link: string }>()
    const accepted = { is_invited: false, email_confirmed_at: expect.any(String) }
    expect(await me(app, await browser.enter())).toMatchObject({ ...json, ...accepted })
    const [, token] = link.split('token=')
    const accept = await app.anonymous.post('/accept-invitation', { token, password: newPassword })
    expect(accept.json()).toEqual({ detail: 'Invalid token' })
  })

  test('that is confirmed is connected, and what was there before the confirmation ends', async () => {
    const { app, browser } = await stage()
    const old = await app.newUser({ email: ada.email })
    await app.store.db.updateTable('users').set({ password_set_at: null, pending_email: 'x@y.example' }).execute()
    const expires_at = new Date(app.clock.now() + 86_400_000).toISOString()
    const program = { name: 'A program', scope: 'read', expires_at }
    const apiToken = (await old.post('/users/me/tokens', program)).json<{ token: string }>().token
    expect((await app.as(apiToken).get('/users/me')).statusCode).toBe(200)
    await app.deliverMails()
    const token = await browser.enter()
    expect((await app.as(apiToken).get('/users/me')).statusCode).toBe(401)
    expect(await me(app, token)).toMatchObject({ id: old.id, pending_email: null })
    expect((await old.get('/users/me')).statusCode).toBe(401)
    expect(await app.logIn(old.email, old.password)).toBeUndefined()
    expect((await app.as(token).get('/users/me/identities')).json()).toMatchObject({ count: 1, has_password: false })
    const created = (await audit(app)).find(([action]) => action === 'identity-create')
    expect(created?.[2]).toMatchObject({ matched_by: 'address', removed_password: 1 })
    const [mail] = await app.deliverMails()
    expect(mail?.text).toContain('Someone with this address logged in with Company')
  })

  test('keeps the password that was set with the confirmation or later', async () => {
    const { app, browser } = await stage()
    const old = await app.newUser({ email: ada.email })
    await browser.enter()
    expect(await app.logIn(old.email, old.password)).toBeTypeOf('string')
  })

  test('that is deactivated stays so', async () => {
    const { app, browser } = await stage()
    await app.newUser({ email: ada.email, is_active: false })
    expect(await browser.logIn()).toBe('/login#oidc_error=inactive')
  })

  test('is found by the ASCII form of the domain', async () => {
    const { app, provider, browser } = await stage()
    provider.people.set('ada', { email: 'ada@xn--bcher-kva.example', email_verified: true })
    const old = await app.newUser({ email: 'ada@bücher.example' })
    expect(await me(app, await browser.enter())).toMatchObject({ id: old.id, email: 'ada@bücher.example' })
  })
})

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
    await app.anonymous.post('/users/signup', { email: ada.email, password: newPassword })
    const token = await app.logIn(ada.email, newPassword)
    await register(app.as(token))
    // The owner uses the link that was mailed, and then the company account.
    const email_confirmed_at = app.clock.now() + 1000
    await app.store.db.updateTable('users').set({ email_confirmed_at }).execute()
    const own = await browser.enter()
    expect((await app.as(token).get('/users/me')).statusCode).toBe(401)
    expect(await app.logIn(ada.email, newPassword)).toBeUndefined()
    expect((await app.as(own).get('/users/me/second-factor')).json()).toMatchObject({ passkeys: 0 })
  })

  test('that another connected with their own company account loses it with the first mailed reset', async () => {
    const { app, provider, browser } = await stage()
    await app.anonymous.post('/users/signup', { email: ada.email, password: newPassword })
    const token = await app.logIn(ada.email, newPassword)
    provider.visitAs('mallory')
    expect(await browser.returnFrom('/users/me/identities/options', token)).toBe('/security')
    expect((await resetByMail(app, ada.email, { new_password: 'the password of the owner' })).json()).toEqual({
      message:
        'Password updated successfully. The connected accounts that were set up before this address was confirmed were removed',
    })
    const other = await browser.enter()
    expect((await app.as(other).get('/users/me')).json()).toMatchObject({ email: 'mallory@company.example' })
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
    await app.as(token).patch('/users/me/password', { new_password: newPassword })
    const root = await app.newUser({ is_superuser: true })
    const { id } = (await app.as(token).get('/users/me')).json<{ id: string }>()
    for (const [path, by] of [
      ['/users/me', token],
      [`/users/${id}`, root.token],
    ] as const) {
      const { data } = (await app.as(by).get(`${path}/identities`)).json<IdentitiesPublic>()
      expect((await app.as(by).delete(`${path}/identities/${data[0]?.id}`)).statusCode).toBe(200)
      expect(await browser.logIn()).toBe('/login#oidc_error=connect-first')
      expect((await app.as(token).get('/users/me')).statusCode).toBe(200)
      // By hand, it may come back.
      expect(await browser.returnFrom('/users/me/identities/options', token)).toBe('/security')
      expect(await db.selectFrom('disconnected_identities').selectAll().execute()).toEqual([])
      expect(await browser.enter()).toBeTypeOf('string')
    }
    const { data } = (await app.as(token).get('/users/me/identities')).json<IdentitiesPublic>()
    await app.as(token).delete(`/users/me/identities/${data[0]?.id}`)
    expect((await app.as(token).delete('/users/me')).statusCode).toBe(200)
    expect(await db.selectFrom('disconnected_identities').selectAll().execute()).toEqual([])
    expect(await browser.enter()).toBeTypeOf('string')
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
    expect((await victim.complete(place)).json()).toEqual({ detail: 'This log-in has expired, please start again' })
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
    ['/settings?q=ä&page=2#fragment', '/settings?q=%C3%A4&page=2'],
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
    expect(JSON.stringify(await app.store.db.selectFrom('challenges').selectAll().execute())).not.toContain(cookie)
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
    const moved = String((await app.anonymous.get('/login/oidc?return_to=/settings', { headers })).headers.location)
    expect(moved).toBe('https://steward.example/api/v1/login/oidc?return_to=%2Fsettings&moved=yes')
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
    const moved = await browser.go('/login/oidc?return_to=/settings', { headers: { host: '127.0.0.1:8000' } })
    expect(moved).toBe(`${PUBLIC_URL}/api/v1/login/oidc?return_to=%2Fsettings&moved=yes`)
    expect(browser.cookies.size).toBe(0)
    const place = await browser.go(await browser.authenticate(await browser.go(moved.slice(PUBLIC_URL.length))))
    expect((await browser.complete(place)).json()).toMatchObject({ return_to: '/settings' })
  })
})
