import { describe, expect, test } from 'vitest'
import { buildTestApp, newPassword, statusAndBody, tokenIn } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'

const minute = 60_000
const accepted = [200, { message: 'If that email is registered, we sent a password recovery link' }]

describe('recovery', () => {
  test('mails a link that sets a new password and ends all sessions', async () => {
    const { anonymous, newUser, logIn, deliverMails } = await buildTestApp()
    const ada = await newUser({ email: 'Ada@Example.com', full_name: 'Ada Lovelace' })
    expect(statusAndBody(await anonymous.post('/password-recovery/ada%40EXAMPLE.com'))).toEqual(accepted)
    const [mail, ...more] = await deliverMails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: 'Ada@Example.com', kind: 'recovery', subject: 'Reset your Steward password' })
    // The name must not be in the mail. Anybody could sign up with this address and a message as name.
    expect(`${mail?.text} ${mail?.html}`).not.toContain('Lovelace')

    const json = { token: tokenIn(mail), new_password: newPassword }
    const updated = [200, { message: 'Password updated successfully' }]
    expect(statusAndBody(await anonymous.post('/reset-password/', json))).toEqual(updated)
    expect((await ada.get('/users/me')).statusCode).toBe(401)
    expect(await logIn(ada.email, ada.password)).toBeUndefined()
    expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
    expect((await deliverMails()).map(({ kind }) => kind)).toEqual(['password-changed'])
  })

  test('responds and queues alike for every address', async () => {
    const { anonymous, newUser, store, deliverMails } = await buildTestApp()
    await newUser({ email: 'ada@example.com' })
    await newUser({ email: 'idle@example.com', is_active: false })
    const addresses = ['ada@example.com', 'nobody@example.com', 'idle@example.com', 'not an address', 'x'.repeat(3000)]
    const responses = []
    for (const address of addresses)
      responses.push(await anonymous.post(`/password-recovery/${encodeURIComponent(address)}`))
    expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    const queued = await store.db.selectFrom('outbox').select('kind').execute()
    expect(queued).toEqual(addresses.map(() => ({ kind: 'recovery' })))
    expect((await deliverMails()).map(({ to }) => to)).toEqual(['ada@example.com'])
    expect(await store.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('stores only the digest of the token', async () => {
    const { anonymous, store, deliverMails, ada } = await buildTestAppWith({ ada: {} })
    await anonymous.post(`/password-recovery/${ada.email}`)
    expect(await store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
    const token = tokenIn((await deliverMails())[0])
    const rows = await store.db.selectFrom('challenges').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  const faults: Record<string, (scene: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>> = {
    'made up': async () => {},
    used: async ({ reset, token }) => reset(token),
    'an hour old': async ({ app }) => app.clock.advance(60 * minute),
    superseded: async ({ app, ada }) => {
      app.clock.advance(minute)
      await app.anonymous.post(`/password-recovery/${ada.email}`)
      await app.deliverMails()
    },
    'of a deactivated account': async ({ admin, ada }) => admin('PATCH', ada.id, { is_active: false }),
    'of a deleted account': async ({ admin, ada }) => admin('DELETE', ada.id),
    'older than an administrator’s new password': async ({ admin, ada }) =>
      admin('PATCH', ada.id, { password: newPassword }),
    'older than an administrator’s new address': async ({ admin, ada }) => admin('PATCH', ada.id, { email: 'a@b.cd' }),
    'older than the own new password': async ({ ada }) =>
      ada.patch('/users/me/password', { current_password: ada.password, new_password: newPassword }),
    'older than the own new address': async ({ ada }) => ada.patch('/users/me', { email: 'a@b.cd' }),
  }
  test.each(Object.entries(faults))('a token that is %s is rejected with the same text', async (what, spoil) => {
    const scene = await setUp()
    await spoil(scene)
    const response = await scene.reset(what === 'made up' ? 'x'.repeat(43) : scene.token, 'yet another password')
    expect(statusAndBody(response)).toEqual([400, { detail: 'Invalid token' }])
    expect(await scene.app.logIn(scene.ada.email, 'yet another password')).toBeUndefined()
  })

  test('a token is valid for an hour after the mail was sent', async () => {
    const scene = await setUp()
    scene.app.clock.advance(60 * minute - 1)
    expect((await scene.reset(scene.token)).statusCode).toBe(200)
  })

  test('a token stays valid after a change of name or spelling of the address', async () => {
    const scene = await setUp()
    await scene.ada.patch('/users/me', { full_name: 'New', email: scene.ada.email.toUpperCase() })
    expect((await scene.reset(scene.token)).statusCode).toBe(200)
  })

  test('a rejected password does not consume the token', async () => {
    const scene = await setUp()
    expect((await scene.reset(scene.token, 'short')).statusCode).toBe(422)
    expect((await scene.reset(scene.token)).statusCode).toBe(200)
  })

  test('a token of an inactive account becomes valid with its activation', async () => {
    const { anonymous, deliverMails, root } = await buildTestAppWith({ root: { is_superuser: true } })
    const json = { email: 'new@example.com', password: newPassword, is_active: false }
    const { id } = (await root.post('/users/', json)).json<{ id: string }>()
    const [mail] = await deliverMails()
    const reset = { token: tokenIn(mail), new_password: 'my own password' }
    expect((await anonymous.post('/reset-password/', reset)).statusCode).toBe(400)
    await root.patch(`/users/${id}`, { is_active: true })
    expect((await anonymous.post('/reset-password/', reset)).statusCode).toBe(200)
  })

  test('links begin with PUBLIC_URL, whatever the request’s host', async () => {
    const { anonymous, newUser, deliverMails } = await buildTestApp({ PUBLIC_URL: 'https://steward.example.org/' })
    const { email } = await newUser()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' }
    await anonymous.post(`/password-recovery/${email}`, undefined, { headers })
    const [mail] = await deliverMails()
    expect(mail?.text).toMatch(/^https:\/\/steward\.example\.org\/reset-password\?token=/m)
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  test('silently limits mails to an address to one a minute and five an hour', async () => {
    const { anonymous, clock, deliverMails, ada } = await buildTestAppWith({ ada: {} })
    const sent: number[] = []
    for (let i = 0; i < 7; i += 1) {
      for (const spelling of [ada.email, ada.email.toUpperCase()])
        expect(statusAndBody(await anonymous.post(`/password-recovery/${spelling}`))).toEqual(accepted)
      sent.push((await deliverMails()).length)
      clock.advance(minute)
    }
    expect(sent).toEqual([1, 1, 1, 1, 1, 0, 0])
    clock.advance(54 * minute)
    await anonymous.post(`/password-recovery/${ada.email}`)
    expect(await deliverMails()).toHaveLength(1)
  })

  test('limits requests of a network to 30 in 5 minutes', async () => {
    const { anonymous, clock } = await buildTestApp()
    const ask = async (number: number, ip: string) =>
      anonymous.post(`/password-recovery/a${number}@b.cd`, undefined, { ip })
    for (let i = 0; i < 30; i += 1) expect((await ask(i, '2001:db8:1:2::1')).statusCode).toBe(200)
    const refused = await ask(31, '2001:db8:1:2:ffff::9')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('300')
    expect((await ask(32, '2001:db8:1:3::1')).statusCode).toBe(200)
    clock.advance(5 * minute)
    expect((await ask(33, '2001:db8:1:2::1')).statusCode).toBe(200)
  })

  test('shows superusers the mail, with an invalid token', async () => {
    const { anonymous, newUser, store } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const ada = await newUser({ full_name: 'Ada Lovelace' })
    const shown = await root.post(`/password-recovery-html-content/${ada.email}`)
    expect(shown.statusCode).toBe(200)
    expect(shown.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(shown.body).toContain('Reset your Steward password')
    expect(await store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
    const [, token = ''] = /token=([\w-]+)/.exec(shown.body) ?? []
    expect((await anonymous.post('/reset-password/', { token, new_password: newPassword })).statusCode).toBe(400)
    for (const nobody of ['nobody@example.com', 'not an address']) {
      const response = await root.post(`/password-recovery-html-content/${nobody}`)
      expect(statusAndBody(response)).toEqual([404, { detail: 'User not found' }])
    }
  })

  test('logs neither address nor token', async () => {
    const scene = await setUp()
    await scene.reset(scene.token)
    await scene.app.anonymous.post('/password-recovery/nobody-here@example.com')
    await scene.app.deliverMails()
    const log = scene.app.log.text()
    expect(log).toContain('"route":"/api/v1/password-recovery/:email"')
    expect(log).toContain('mail sent')
    for (const secret of [scene.ada.email, scene.token, newPassword, 'nobody-here']) expect(log).not.toContain(secret)
  })
})

async function setUp() {
  const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
  await app.anonymous.post(`/password-recovery/${ada.email}`)
  return {
    app,
    ada,
    token: tokenIn((await app.deliverMails())[0]),
    reset: (used: string, new_password = newPassword) =>
      app.anonymous.post('/reset-password/', { token: used, new_password }),
    admin: (method: 'PATCH' | 'DELETE', id: string, json?: object) => root.send(method, `/users/${id}`, json),
  }
}
