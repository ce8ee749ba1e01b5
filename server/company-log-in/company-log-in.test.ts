import { describe, expect, onTestFinished, test } from 'vitest'
import { startCompanyProvider } from '../../tests/support/company-provider.ts'
import { newPassword, type TestApp } from '../test/build-test-app.ts'
import { buildCompanyApp, openBrowser, provideCompany, PUBLIC_URL } from '../test/company-browser.ts'

const ada = { email: 'ada@company.example', email_verified: true, name: 'Ada Lovelace' }
const company = provideCompany({ ada, ben: { email: 'ben@company.example', email_verified: true } })

const me = async (app: TestApp, token: string) => (await app.as(token).get('/users/me')).json<Record<string, unknown>>()

const audit = async ({ store }: TestApp) =>
  (await store.db.selectFrom('audit').selectAll().orderBy('at').orderBy('id').execute()).map(
    ({ action, result, details }) => [action, result, details === null ? null : (JSON.parse(details) as unknown)],
  )

async function stage(settings: Record<string, string> = {}) {
  const { provider } = company
  provider.visitAs('ada')
  const app = await buildCompanyApp(provider, settings)
  return { app, provider, browser: openBrowser(app) }
}

describe('a person whom nobody knows yet', () => {
  test('gets an account without a password, and the same one later', async () => {
    const { app, provider, browser } = await stage()
    const place = await browser.logIn('/items?page=2')
    expect(place).toMatch(/^\/login#oidc=[\w-]{43}$/)
    const answer = await browser.complete(place)
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      return_to: '/items?page=2',
    })
    expect(browser.cookies.size).toBe(0)
    const token = answer.json<{ access_token: string }>().access_token
    const first = await me(app, token)
    expect(first).toMatchObject({
      email: 'ada@company.example',
      full_name: 'Ada Lovelace',
      is_active: true,
      is_superuser: false,
      is_invited: false,
      email_confirmed_at: expect.any(String),
    })
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
    expect((await app.deliverMails()).map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, 'A company account was connected to your Steward account'],
    ])
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
    ['says so in text', 'verified', { email_verified: 'true' }, true],
    ['says so as Entra does', 'verified', { xms_edov: true }, true],
    ['says so as Entra does, in text', 'verified', { xms_edov: '1' }, true],
    ['says so as Entra does, as a number', 'verified', { xms_edov: 1 }, true],
    ['says nothing', 'verified', {}, 'not-verified'],
    ['says nothing, and the setting trusts it', 'always', {}, false],
    ['says no, and the setting trusts it', 'always', { email_verified: false }, 'not-verified'],
    ['says no in text', 'always', { email_verified: 'false', xms_edov: true }, 'not-verified'],
    ['says no as Entra does', 'always', { email_verified: true, xms_edov: '0' }, 'not-verified'],
    ['says something else', 'verified', { email_verified: 1 }, 'not-verified'],
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
    const invited = await root.post('/users/invite', json)
    const { link } = invited.json<{ link: string }>()
    const user = await me(app, await browser.enter())
    expect(user).toMatchObject({
      email: 'Ada@Company.example',
      full_name: 'A. L.',
      is_superuser: true,
      is_invited: false,
      email_confirmed_at: expect.any(String),
    })
    const [, token] = link.split('token=')
    const accept = await app.anonymous.post('/accept-invitation', { token, password: newPassword })
    expect(accept.json()).toEqual({ detail: 'Invalid token' })
  })

  test('that is confirmed is connected, and what was there before the confirmation ends', async () => {
    const { app, browser } = await stage()
    const old = await app.newUser({ email: ada.email })
    await app.store.db.updateTable('users').set({ password_set_at: null, pending_email: 'x@y.example' }).execute()
    const program = {
      name: 'A program',
      scope: 'read',
      expires_at: new Date(app.clock.now() + 86_400_000).toISOString(),
    }
    const made = await old.post('/users/me/tokens', program)
    const apiToken = made.json<{ token: string }>().token
    expect((await app.as(apiToken).get('/items/')).statusCode).toBe(200)
    await app.deliverMails()
    const token = await browser.enter()
    expect((await app.as(apiToken).get('/items/')).statusCode).toBe(401)
    expect(await me(app, token)).toMatchObject({ id: old.id, pending_email: null })
    expect((await old.get('/users/me')).statusCode).toBe(401)
    expect(await app.logIn(old.email, old.password)).toBeUndefined()
    const identities = await app.as(token).get('/users/me/identities')
    expect(identities.json()).toMatchObject({ count: 1, has_password: false })
    const created = (await audit(app)).find(([action]) => action === 'identity-create')
    expect(created?.[2]).toMatchObject({ matched_by: 'address', removed_password: 1 })
    const [mail] = await app.deliverMails()
    expect(mail?.text).toContain('Somebody with this address logged in with Company')
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

describe('a provider', () => {
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
