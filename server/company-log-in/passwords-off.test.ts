import { expect, test } from 'vitest'
import { issueLogInLink } from '../sign-in/log-in-link.ts'
import { newPassword, type RequestOptions, statusAndBody } from '../test/build-test-app.ts'
import { openBrowser, provideCompany } from '../test/company-browser.ts'
import { OPERATOR } from '../users/access.ts'

const company = provideCompany({ ada: { email: 'ada@company.example', email_verified: true } })
const use = (status: number) => [status, { detail: 'Log in with Company' }]

async function stage(settings: Record<string, string> = {}) {
  const staged = await company.stage({ PASSWORD_LOG_IN: 'off', ...settings })
  return { ...staged, root: await staged.app.newUser({ is_superuser: true }) }
}

test('passwords log nobody in, right or wrong, and the answers do not differ', async () => {
  const { app, root } = await stage()
  const shown = { oidc: { name: 'Company' }, password_log_in: false }
  expect((await app.anonymous.get('/instance')).json()).toMatchObject(shown)
  for (const [username, password] of [
    [root.email, root.password],
    [root.email, 'wrong password'],
    ['nobody@example.com', 'wrong password'],
  ] as const)
    expect(statusAndBody(await app.tryLogIn(username, password))).toEqual(use(400))
  for (const password of [root.password, 'wrong password'])
    expect(statusAndBody(await root.post('/users/me/confirm', { password }))).toEqual(use(400))
  expect((await app.store.db.selectFrom('sessions').select('id').execute()).length).toBe(1)
  const json = { email: 'new@example.com', password: newPassword }
  expect(statusAndBody(await app.anonymous.post('/users/signup', json))).toEqual(use(409))
})

test('a recovery mails nothing, and links set no password', async () => {
  const { app, root } = await stage()
  const ada = await app.newUser({ email: 'ada@company.example' })
  expect((await app.anonymous.post(`/password-recovery/${ada.email}`)).statusCode).toBe(200)
  expect(await app.deliverMails()).toEqual([])
  expect(statusAndBody(await root.post(`/users/${ada.id}/password-reset`))).toEqual(use(409))
  const reset = await app.anonymous.post('/reset-password/', { token: 'x', new_password: newPassword })
  expect(statusAndBody(reset)).toEqual([400, { detail: 'Invalid token' }])
})

test('an invitation leads to the log-in, which accepts it', async () => {
  const { app, browser, root } = await stage({ SIGN_UP: 'closed' })
  const invited = await root.post('/users/invite', { email: 'ada@company.example' })
  expect(invited.json()).toMatchObject({ link: 'http://localhost:8000/login' })
  const [mail] = await app.deliverMails()
  expect(mail?.text).toContain('Log in with Company to begin.')
  expect(mail?.text).toContain('http://localhost:8000/login\n')
  expect(mail?.text).not.toContain('token=')
  const accept = { token: 'x', password: newPassword }
  expect(statusAndBody(await app.anonymous.post('/accept-invitation', accept))).toEqual(use(400))
  expect(await browser.enter()).toBeTypeOf('string')
})

test('an account that an administrator makes is an invited one, whose password nobody has', async () => {
  const { app, browser, root } = await stage()
  const json = { email: 'ada@company.example', password: newPassword, is_active: true }
  const made = await root.post('/users/', json)
  expect(statusAndBody(made)).toMatchObject([200, { is_invited: true, email_confirmed_at: null }])
  const [mail] = await app.deliverMails()
  expect(mail?.text).toContain('Log in with Company to begin.')
  expect(mail?.text).not.toContain('token=')
  const token = await browser.enter()
  const me = (await app.as(token).get('/users/me')).json()
  expect(me).toMatchObject({ email: json.email, is_invited: false, email_confirmed_at: expect.any(String) })
  expect(await app.store.db.selectFrom('users').select('id').where('password_hash', '!=', '').execute()).toHaveLength(1)
})

test.each([
  ['off', [409, { detail: 'Only an administrator changes addresses here' }]],
  ['on', [200, { email: 'ada@company.example', pending_email: 'victim@company.example' }]],
])('with CONFIRM_EMAIL=%s, nobody takes the address of somebody else', async (setting, expected) => {
  const { app, browser, root } = await stage({ CONFIRM_EMAIL: setting })
  const token = await browser.enter()
  const change = (email: string) => app.as(token).patch('/users/me', { email, full_name: 'Ada' })
  expect(statusAndBody(await change('victim@company.example'))).toMatchObject(expected)
  expect(statusAndBody(await change('ADA@company.example'))).toMatchObject([200, { email: 'ADA@company.example' }])
  company.provider.people.set('victim', { email: 'victim@company.example', email_verified: true })
  company.provider.restart()
  company.provider.visitAs('victim')
  const own = await openBrowser(app).enter()
  const { id } = (await app.as(own).get('/users/me')).json<{ id: string }>()
  const json = { email: 'other@company.example' }
  expect((await root.patch(`/users/${id}`, json)).json()).toMatchObject(json)
})

test('a link of the operator names its account, and stays', async () => {
  const { app, root } = await stage()
  const ask = (token: string, options?: RequestOptions) => app.anonymous.post('/login/link/account', { token }, options)
  const invalid = [400, { detail: 'Invalid token' }]
  const link = await issueLogInLink(app.context, OPERATOR, root.id)
  expect(statusAndBody(await ask(link))).toEqual([200, { email: root.email }])
  expect(statusAndBody(await ask(link))).toEqual([200, { email: root.email }])
  expect((await ask(link, { headers: { origin: 'https://evil.example' } })).statusCode).toBe(400)
  expect(app.log.text()).not.toContain(link)
  await app.store.db.updateTable('limits').set({ used: 100 }).execute()
  expect((await ask(link)).statusCode).toBe(429)
  expect((await app.anonymous.post('/login/link', { token: link })).statusCode).toBe(429)
  expect((await ask(link, { ip: '192.0.2.1' })).statusCode).toBe(200)
  await app.store.db.deleteFrom('limits').execute()
  expect((await app.anonymous.post('/login/link', { token: link })).statusCode).toBe(200)
  expect(statusAndBody(await ask(link))).toEqual(invalid)
  const late = await issueLogInLink(app.context, OPERATOR, root.id)
  app.clock.advance(10 * 60_000)
  expect(statusAndBody(await ask(late))).toEqual(invalid)
})

test('a link of the operator logs in, once, within 10 minutes, where nobody is connected', async () => {
  const { app, root } = await stage()
  const enter = (token: string, headers = {}) => app.anonymous.post('/login/link', { token }, { headers })
  const invalid = [400, { detail: 'Invalid token' }]
  const old = await issueLogInLink(app.context, OPERATOR, root.id)
  const link = await issueLogInLink(app.context, OPERATOR, root.id)
  expect(statusAndBody(await enter(old))).toEqual(invalid)
  expect((await enter(link, { origin: 'https://evil.example' })).statusCode).toBe(400)
  const { access_token: token } = (await enter(link)).json<{ access_token: string }>()
  expect((await app.as(token).post('/users/me/identities/options')).statusCode).toBe(200)
  expect(statusAndBody(await enter(link))).toEqual(invalid)
  const late = await issueLogInLink(app.context, OPERATOR, root.id)
  app.clock.advance(10 * 60_000)
  expect(statusAndBody(await enter(late))).toEqual(invalid)
  const entries = await app.store.db.selectFrom('audit').select(['action', 'result', 'origin']).execute()
  expect(entries).toContainEqual({ action: 'log-in-link', result: 'done', origin: 'server' })
  const ended = await issueLogInLink(app.context, OPERATOR, root.id)
  const other = await app.newUser({ is_superuser: true })
  await other.patch(`/users/${root.id}`, { is_active: false })
  expect(statusAndBody(await enter(ended))).toEqual(invalid)
  await expect(issueLogInLink(app.context, OPERATOR, root.id)).rejects.toThrow('This user is inactive')
})
