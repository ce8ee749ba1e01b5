import { describe, expect, test } from 'vitest'
import type { IdentitiesPublic } from '../contract/types.gen.ts'
import { newPassword, nobody, type Person, statusAndBody, type TestApp } from '../test/build-test-app.ts'
import { register } from '../test/ceremonies.ts'
import { openBrowser, provideCompany } from '../test/company-browser.ts'

const MINUTE = 60_000
const company = provideCompany({ ada: { email: 'ada@company.example', email_verified: true }, ben: {} })
const options = '/users/me/identities/options'

const identitiesOf = async (app: TestApp, token: string, url = '/users/me/identities') =>
  (await app.as(token).get(url)).json<IdentitiesPublic>()

async function stage(settings: Record<string, string> = {}) {
  const staged = await company.stage(settings)
  return { ...staged, grace: await staged.app.newUser({ email: 'grace@home.example' }) }
}

const remove = (app: TestApp, token: string, id = nobody) => app.as(token).delete(`/users/me/identities/${id}`)

describe('a company account', () => {
  test('is connected by its owner, whatever its address, and logs in from then on', async () => {
    const { app, browser, grace } = await stage({ SIGN_UP: 'closed' })
    expect(await browser.returnFrom(options, grace.token)).toBe('/security')
    const { data, has_password: hasPassword } = await identitiesOf(app, grace.token)
    expect([data, hasPassword]).toMatchObject([[{ email: 'ada@company.example', last_used_at: null }], true])
    const me = await app.as(await browser.enter()).get('/users/me')
    expect(me.json()).toMatchObject({ id: grace.id, email: grace.email })
    const mails = (await app.deliverMails()).map(({ to, subject }) => [to, subject])
    expect(mails).toEqual([[grace.email, 'A company account was connected to your Steward account']])
    // Once more changes nothing.
    expect(await browser.returnFrom(options, grace.token)).toBe('/security')
    expect((await identitiesOf(app, grace.token)).data).toHaveLength(1)
  })

  test('of another account is taken, and so is one that two connect at once', async () => {
    const { app, browser, grace } = await stage()
    const other = await app.newUser()
    await browser.returnFrom(options, other.token)
    expect(await browser.returnFrom(options, grace.token)).toBe('/security#oidc_error=taken')
    company.provider.visitAs('ben')
    company.provider.restart()
    const places = await Promise.all([grace, other].map(({ token }) => openBrowser(app).returnFrom(options, token)))
    expect(new Set(places)).toEqual(new Set(['/security', '/security#oidc_error=taken']))
  })

  test('is not connected after the log-out, in another browser, or to a stranger’s account', async () => {
    const { app, browser, grace } = await stage()
    const begin = async (person: Person) =>
      (await browser.send('POST', options, undefined, person)).json<{ url: string }>().url
    const callback = await browser.authenticate(await begin(grace))
    expect(await openBrowser(app).go(callback)).toBe('/login#oidc_error=expired')
    await grace.post('/logout')
    expect(await browser.go(callback)).toBe('/security#oidc_error=expired')
    expect(await app.store.db.selectFrom('identities').selectAll().execute()).toEqual([])
  })

  test('is connected by a fresh session only, and at most ten are', async () => {
    const { app, grace } = await stage()
    const { db } = app.store
    const row = { user_id: grace.id, issuer: 'https://old.example', email: null, created_at: 1, last_used_at: null }
    const rows = Array.from({ length: 10 }, (_, index) => ({ ...row, id: crypto.randomUUID(), subject: `${index}` }))
    await db.insertInto('identities').values(rows).execute()
    expect(statusAndBody(await grace.post(options))).toEqual([409, { detail: 'At most 10 connected accounts' }])
    app.clock.advance(11 * MINUTE)
    expect((await grace.post(options)).statusCode).toBe(423)
    expect((await remove(app, grace.token, rows[0]?.id)).statusCode).toBe(423)
  })

  test('is disconnected, and sessions that it began stay', async () => {
    const { app, browser, grace } = await stage()
    await browser.returnFrom(options, grace.token)
    const token = await browser.enter()
    const [identity] = (await identitiesOf(app, token)).data
    const stranger = await app.newUser()
    const unknown = [404, { detail: 'Identity not found' }]
    expect(statusAndBody(await remove(app, stranger.token, identity?.id))).toEqual(unknown)
    expect(statusAndBody(await remove(app, token, identity?.id))).toEqual([200, { message: 'Account disconnected' }])
    expect((await identitiesOf(app, token)).data).toEqual([])
    const subjects = (await app.deliverMails()).map(({ subject }) => subject)
    expect(subjects).toContain('A company account was disconnected from your Steward account')
  })
})

describe('the last way to log in', () => {
  const refused = [409, { detail: 'Set a password or add a passkey first' }]

  test('stays: the company account, until there is a passkey or a password', async () => {
    const { app, browser } = await stage()
    const token = await browser.enter()
    const [identity] = (await identitiesOf(app, token)).data
    expect(statusAndBody(await remove(app, token, identity?.id))).toEqual(refused)
    await register(app.as(token))
    expect((await remove(app, token, identity?.id)).statusCode).toBe(200)
    const [passkey] = (await app.as(token).get('/users/me/passkeys')).json<{ data: { id: string }[] }>().data
    const deletePasskey = () => app.as(token).delete(`/users/me/passkeys/${passkey?.id}`)
    expect(statusAndBody(await deletePasskey())).toEqual(refused)
    const json = { new_password: newPassword }
    expect((await app.as(token).patch('/users/me/password', json)).statusCode).toBe(200)
    expect((await deletePasskey()).statusCode).toBe(200)
  })

  test('stays when both of two are removed at once', async () => {
    const { app, browser } = await stage()
    const token = await browser.enter()
    await register(app.as(token))
    const [identity] = (await identitiesOf(app, token)).data
    const [passkey] = (await app.as(token).get('/users/me/passkeys')).json<{ data: { id: string }[] }>().data
    const answers = await Promise.all([
      remove(app, token, identity?.id),
      app.as(token).delete(`/users/me/passkeys/${passkey?.id}`),
    ])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
  })

  test('is no password where nobody logs in with one, and no account at another provider', async () => {
    const { app, browser, grace } = await stage({ PASSWORD_LOG_IN: 'off' })
    await browser.returnFrom(options, grace.token)
    const row = { user_id: grace.id, issuer: 'https://old.example', subject: 'x', email: null }
    const old = { ...row, id: nobody, created_at: 1, last_used_at: null }
    await app.store.db.insertInto('identities').values(old).execute()
    const [identity] = (await identitiesOf(app, grace.token)).data
    expect(statusAndBody(await remove(app, grace.token, identity?.id))).toEqual(refused)
    expect((await remove(app, grace.token, nobody)).statusCode).toBe(200)
  })
})

test('a password of an account that has none is set in a fresh session', async () => {
  const { app, browser } = await stage()
  const token = await browser.enter()
  const change = (json: object, by = token) => app.as(by).patch('/users/me/password', json)
  const confirm = await app.as(token).post('/users/me/confirm', { password: newPassword })
  expect(statusAndBody(confirm)).toEqual([400, { detail: 'Incorrect password' }])
  await app.store.db.updateTable('sessions').set({ authenticated_at: 0 }).execute()
  expect((await change({ new_password: newPassword })).statusCode).toBe(423)
  const fresh = await browser.enter()
  expect((await change({ new_password: newPassword }, fresh)).statusCode).toBe(200)
  expect(await app.logIn('ada@company.example', newPassword)).toBeTypeOf('string')
  const missing = [422, { detail: [{ loc: ['body', 'current_password'], msg: 'Field required', type: 'required' }] }]
  expect(statusAndBody(await change({ new_password: 'yet another one' }, fresh))).toEqual(missing)
})

test('a superuser sees and disconnects the company accounts of others, also the last way to log in', async () => {
  const { app, browser } = await stage()
  const token = await browser.enter()
  const { id } = (await app.as(token).get('/users/me')).json<{ id: string }>()
  const root = await app.newUser({ is_superuser: true })
  const url = `/users/${id}/identities`
  const { data } = await identitiesOf(app, root.token, url)
  expect(data).toHaveLength(1)
  const removed = await root.delete(`${url}/${data[0]?.id}`)
  expect(statusAndBody(removed)).toEqual([200, { message: 'Account disconnected' }])
  expect((await app.as(token).get('/users/me')).statusCode).toBe(200)
  const own = await root.delete(`/users/${root.id}/identities/${nobody}`)
  expect(statusAndBody(own)).toEqual([409, { detail: 'Use your own security page' }])
})

describe('a confirmation at the provider', () => {
  const confirm = (browser: ReturnType<typeof openBrowser>, token: string) =>
    browser.returnFrom('/users/me/confirm/oidc', token, { return_to: '/users?add' })

  test('makes the session fresh', async () => {
    const { app, provider, browser, grace } = await stage()
    await browser.returnFrom(options, grace.token)
    app.clock.advance(2 * MINUTE)
    provider.visitAs('ada', Math.floor(app.clock.now() / 1000))
    const token = await browser.enter()
    app.clock.advance(11 * MINUTE)
    expect((await app.as(token).post(options)).statusCode).toBe(423)
    provider.visitAs('ada', Math.floor(app.clock.now() / 1000))
    expect(await confirm(browser, token)).toBe('/users?add')
    expect((await app.as(token).post(options)).statusCode).toBe(200)
  })

  test('asks the provider to have the person authenticate again', async () => {
    const { browser, grace } = await stage()
    await browser.returnFrom(options, grace.token)
    const answer = await browser.send('POST', '/users/me/confirm/oidc', { return_to: '/' }, grace)
    const { searchParams } = new URL(answer.json<{ url: string }>().url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
      claims: '{"id_token":{"auth_time":{"essential":true}}}',
      code_challenge_method: 'S256',
    })
  })

  test.each<[string, (token: { claims: Record<string, unknown> }) => void]>([
    ['of another identity', ({ claims }) => (claims['sub'] = 'ben')],
    ['longer ago', ({ claims }) => (claims['auth_time'] = Math.floor(Date.now() / 1000) - 310)],
    ['in the future', ({ claims }) => (claims['auth_time'] = Math.floor(Date.now() / 1000) + 310)],
    ['at no known time', ({ claims }) => delete claims['auth_time']],
  ])('does not count if it is %s', async (_what, change) => {
    const { app, provider, browser, grace } = await stage()
    await browser.returnFrom(options, grace.token)
    await app.store.db.updateTable('sessions').set({ authenticated_at: 0 }).execute()
    provider.changeIdTokens(change)
    expect(await confirm(browser, grace.token)).toBe('/users?add#oidc_error=not-recent')
    expect((await grace.post(options)).statusCode).toBe(423)
  })

  test('needs a connected account, and a provider that answers', async () => {
    const { app, provider, browser, grace } = await stage()
    const send = () => browser.send('POST', '/users/me/confirm/oidc', { return_to: '//evil.example' }, grace)
    expect(statusAndBody(await send())).toEqual([409, { detail: 'No account is connected' }])
    await browser.returnFrom(options, grace.token)
    provider.answerWith((_request, response) => {
      response.writeHead(500).end()
      return true
    })
    app.clock.advance(5_000)
    const away = [503, { detail: 'Company does not answer, please try again later' }]
    expect(statusAndBody(await send())).toEqual(away)
  })
})
