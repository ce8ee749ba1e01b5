import { describe, expect, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import type { Invitation } from '../contract/types.gen.ts'
import {
  buildTestApp,
  newPassword,
  nobody,
  type Person,
  statusAndBody,
  type TestApp,
  tokenIn,
} from '../test/build-test-app.ts'
import { buildTestAppWith, resetByMail } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import { allAtOnce, buildServers, expectConsistentCounts, tally, TIMES } from '../test/two-servers.ts'

const minute = 60_000
const day = 24 * 60 * minute
const invalid = [400, { detail: 'Invalid token' }]
const taken = [409, { detail: 'A user with this email already exists' }]
const SMTP = { SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'https://steward.example.org' }

/** A superuser and requests about invitations. */
async function stage(settings: Record<string, string> = {}) {
  const { app, root } = await buildTestAppWith({ root: { is_superuser: true, email: 'root@example.com' } }, settings)
  return { ...toolsOf(app, root), app, root }
}

function toolsOf(app: TestApp, root: Person) {
  const invite = (email: string, more: object = {}) => root.post('/users/invite', { email, ...more })
  const resend = (id: string) => root.post(`/users/${id}/invite`)
  const accept = (token: string, password = newPassword, more: object = {}) =>
    app.anonymous.post('/accept-invitation', { token, password, ...more })
  const admin = (method: 'PATCH' | 'DELETE', id: string, json?: object) => root.send(method, `/users/${id}`, json)
  return { invite, resend, accept, admin }
}

const tokenOf = (invited: Invitation): string => tokenIn({ text: invited.link ?? '' })

describe('an invitation', () => {
  test('creates an account without a password, and mails a link to choose one', async () => {
    const { app, root, invite, accept } = await stage()
    const response = await invite(' Ada@Example.com ', { full_name: 'Ada Lovelace', is_superuser: true })
    const { user, link } = response.json<Invitation>()
    expect(response.statusCode).toBe(200)
    expect(user).toMatchObject({ email: 'Ada@Example.com', full_name: 'Ada Lovelace', is_superuser: true })
    expect(user).toMatchObject({ is_active: true, is_invited: true, last_active_at: null })
    expect(link).toMatch(/^http:\/\/localhost:8000\/accept-invitation\?token=[\w-]{43}$/)

    const [mail, ...more] = await app.deliverMails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: 'Ada@Example.com', kind: 'invitation', subject: 'You are invited to Steward' })
    for (const text of [mail?.text, mail?.html])
      for (const part of ['Hello Ada Lovelace,', '7 days', 'An administrator', '/accept-invitation?token='])
        expect(text).toContain(part)

    expect(statusAndBody(await accept(tokenIn(mail)))).toEqual([200, { message: 'Password set successfully' }])
    const token = await app.logIn('ada@example.com', newPassword)
    const me = await app.as(token).get('/users/me')
    expect(me.json()).toMatchObject({ id: user.id, is_invited: false, full_name: 'Ada Lovelace', is_superuser: true })
    const done = { result: 'done', subject_id: user.id }
    expect(await auditOf(app, 'invite')).toMatchObject([{ ...done, actor_id: root.id }])
    expect(await auditOf(app, 'invitation-accept')).toMatchObject([{ ...done, actor_id: null }])
  })

  test.each(['link first', 'mail first'])(
    'has a link in the response and one in the mail, valid until one is used: %s',
    async (order) => {
      const { app, invite, accept } = await stage()
      const shown = tokenOf((await invite('ada@example.com')).json<Invitation>())
      const mailed = tokenIn((await app.deliverMails())[0])
      expect(mailed).not.toBe(shown)
      const [first, second] = order === 'link first' ? [shown, mailed] : [mailed, shown]
      expect((await accept(first)).statusCode).toBe(200)
      expect(statusAndBody(await accept(second))).toEqual(invalid)
      expect(statusAndBody(await accept(first))).toEqual(invalid)
    },
  )

  test('can be accepted before the mail is sent, which is then dropped', async () => {
    const { app, invite, accept } = await stage()
    expect((await accept(tokenOf((await invite('ada@example.com')).json<Invitation>()))).statusCode).toBe(200)
    expect((await app.deliverMails()).map(({ kind }) => kind)).toEqual(['password-changed'])
  })

  test('has a link only in the mail if there is a mail server', async () => {
    const { app, invite, resend, accept } = await stage(SMTP)
    const { user, link } = (await invite('ada@example.com')).json<Invitation>()
    expect(link).toBeNull()
    expect((await resend(user.id)).json()).toMatchObject({ link: null })
    const [mail] = await app.deliverMails()
    expect(mail?.text).toMatch(/^https:\/\/steward\.example\.org\/accept-invitation\?token=/m)
    expect((await accept(tokenIn(mail))).statusCode).toBe(200)
  })

  test('leaves no token in the database or the log', async () => {
    const { app, invite, accept } = await stage()
    const shown = tokenOf((await invite('ada@example.com')).json<Invitation>())
    const queued = await app.store.db.selectFrom('outbox').selectAll().execute()
    const mailed = tokenIn((await app.deliverMails())[0])
    const kept = await app.store.db.selectFrom('challenges').selectAll().execute()
    expect(kept).toHaveLength(3)
    await accept(mailed)
    const audit = await app.store.db.selectFrom('audit').selectAll().execute()
    for (const place of [JSON.stringify([queued, kept, audit]), app.log.text()])
      for (const secret of [shown, mailed, newPassword]) expect(place).not.toContain(secret)
    expect(app.log.text()).not.toContain('ada@example.com')
    expect(await app.store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
  })

  test('keeps the name unless the acceptance has one', async () => {
    const { app, invite, accept } = await stage()
    const cases = [
      [{}, 'Old'],
      [{ full_name: 'New' }, 'New'],
      [{ full_name: null }, null],
    ] as const
    for (const [index, [more, name]] of cases.entries()) {
      const email = `a${index}@example.com`
      await accept(tokenOf((await invite(email, { full_name: 'Old' })).json<Invitation>()), newPassword, more)
      const token = await app.logIn(email, newPassword)
      expect((await app.as(token).get('/users/me')).json()).toMatchObject({ full_name: name })
    }
  })

  test('enforces the password policy, and stays valid after a rejected password', async () => {
    const { invite, accept } = await stage({ PASSWORD_POLICY: 'strict' })
    const token = tokenOf((await invite('ada@example.com')).json<Invitation>())
    for (const [password, more] of [
      ['short', {}],
      ['password123', {}],
      ['Lovelace1', { full_name: 'Lovelace' }],
    ] as const) {
      const refused = await accept(token, password, more)
      expect(refused.statusCode).toBe(422)
      expect(refused.json()).toMatchObject({ detail: [{ loc: ['body', 'password'] }] })
    }
    expect((await accept(token)).statusCode).toBe(200)
  })

  test('is valid for 7 days', async () => {
    const { app, invite, accept } = await stage()
    const first = tokenOf((await invite('ada@example.com')).json<Invitation>())
    const second = tokenOf((await invite('ben@example.com')).json<Invitation>())
    app.clock.advance(7 * day - 1)
    expect((await accept(first)).statusCode).toBe(200)
    app.clock.advance(1)
    expect(statusAndBody(await accept(second))).toEqual(invalid)
    await app.housekeeping.runAll()
    expect(await app.store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
  })

  const faults: Record<string, (scene: Awaited<ReturnType<typeof stage>>, id: string) => Promise<unknown>> = {
    'made up': async () => {},
    superseded: async ({ resend }, id) => resend(id),
    'of a deactivated account': async ({ admin }, id) => admin('PATCH', id, { is_active: false }),
    'of an account that was deactivated for a moment': async ({ admin }, id) => {
      await admin('PATCH', id, { is_active: false })
      await admin('PATCH', id, { is_active: true })
    },
    'of a deleted account': async ({ admin }, id) => admin('DELETE', id),
    'of an account that was deleted and invited again': async ({ admin, invite }, id) => {
      await admin('DELETE', id)
      await invite('ada@example.com')
    },
    'older than a new address': async ({ admin }, id) => admin('PATCH', id, { email: 'new@example.com' }),
    'older than an administrator’s password': async ({ admin }, id) => admin('PATCH', id, { password: newPassword }),
    'older than a password by recovery': async ({ app }) =>
      expect((await resetByMail(app, 'ada@example.com')).statusCode).toBe(200),
  }
  test.each(Object.entries(faults))('that is %s is rejected with the same text', async (what, spoil) => {
    const scene = await stage()
    const invited = (await scene.invite('ada@example.com')).json<Invitation>()
    const mailed = tokenIn((await scene.app.deliverMails())[0])
    await spoil(scene, invited.user.id)
    for (const token of what === 'made up' ? ['x'.repeat(43), '', '\0'] : [tokenOf(invited), mailed])
      expect(statusAndBody(await scene.accept(token, 'yet another password'))).toEqual(invalid)
    for (const email of ['ada@example.com', 'new@example.com'])
      expect(await scene.app.logIn(email, 'yet another password')).toBeUndefined()
  })

  test('stays valid after a change of name, role or spelling of the address', async () => {
    const { invite, accept, admin } = await stage()
    const invited = (await invite('ada@example.com')).json<Invitation>()
    await admin('PATCH', invited.user.id, { full_name: 'New', is_superuser: true, email: 'ADA@example.com' })
    expect((await accept(tokenOf(invited))).statusCode).toBe(200)
  })

  test.each([SMTP, {}])('that is sent again replaces the queued mail: %j', async (settings) => {
    const { app, invite, resend, accept } = await stage(settings)
    const { user } = (await invite('ada@example.com')).json<Invitation>()
    expect((await resend(user.id)).json<Invitation>().user).toMatchObject({ id: user.id, is_invited: true })
    // Both mails are queued, but the first is dropped.
    const mails = await app.deliverMails()
    expect(mails.map(({ kind }) => kind)).toEqual(['invitation'])
    expect((await accept(tokenIn(mails[0]))).statusCode).toBe(200)
  })

  test('cannot be sent again to users who have a password, are inactive or do not exist', async () => {
    const { app, root, invite, resend, admin } = await stage()
    const idle = await app.newUser({ is_active: false })
    const { user } = (await invite('ada@example.com')).json<Invitation>()
    await admin('PATCH', user.id, { is_active: false })
    const set = [409, { detail: 'This user has already set a password' }]
    const inactive = [409, { detail: 'This user is inactive' }]
    expect(statusAndBody(await resend(root.id))).toEqual(set)
    expect(statusAndBody(await resend(idle.id))).toEqual(inactive)
    expect(statusAndBody(await resend(user.id))).toEqual(inactive)
    expect(statusAndBody(await resend(nobody))).toEqual([404, { detail: 'User not found' }])
    await admin('PATCH', user.id, { is_active: true })
    expect((await resend(user.id)).statusCode).toBe(200)
  })

  test('is limited to ten an hour per address, also for a new account', async () => {
    const { app, invite, resend, admin } = await stage()
    const { user } = (await invite('ada@example.com')).json<Invitation>()
    for (let i = 0; i < 9; i += 1) expect((await resend(user.id)).statusCode).toBe(200)
    const refused = await resend(user.id)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
    await admin('DELETE', user.id)
    expect((await invite('ADA@example.com')).statusCode).toBe(429)
    expect((await invite('ben@example.com')).statusCode).toBe(200)
    const users = await (await app.newUser({ is_superuser: true })).get('/users/?q=ada')
    expect(users.json()).toMatchObject({ count: 0 })
    await expectConsistentCounts(app)
    app.clock.advance(60 * minute)
    expect((await invite('ada@example.com')).statusCode).toBe(200)
  })

  test('is rejected for an existing address in any spelling', async () => {
    const { app, invite } = await stage()
    await app.newUser({ email: 'ben@example.com' })
    await invite('ada@example.com')
    for (const email of ['ADA@example.com', 'Ben@example.com'])
      expect(statusAndBody(await invite(email))).toEqual(taken)
    await expectConsistentCounts(app)
  })

  test('accepts only address, name and role', async () => {
    const { app, invite } = await stage()
    const more = {
      id: nobody,
      password: newPassword,
      password_hash: 'x',
      is_active: false,
      created_at: '2020-01-01T00:00:00Z',
      link: 'https://evil.example',
    }
    const { user, link } = (await invite('ada@example.com', more)).json<Invitation>()
    expect(user).toMatchObject({ is_active: true, is_invited: true, is_superuser: false })
    expect([user.id === nobody, link?.includes('evil')]).toEqual([false, false])
    expect(await app.logIn('ada@example.com', newPassword)).toBeUndefined()
  })

  test('lets the invited user set only password and name', async () => {
    const { app, invite, accept } = await stage()
    const invited = (await invite('ada@example.com')).json<Invitation>()
    const more = { is_superuser: true, email: 'evil@example.com', id: nobody, new_password: 'x', user_id: nobody }
    expect((await accept(tokenOf(invited), newPassword, more)).statusCode).toBe(200)
    const token = await app.logIn('ada@example.com', newPassword)
    const me = await app.as(token).get('/users/me')
    expect(me.json()).toMatchObject({ id: invited.user.id, is_superuser: false, email: 'ada@example.com' })
  })

  test('does not greet with a name that looks like a message', async () => {
    const { app, invite } = await stage()
    for (const [index, full_name] of ['Win at https://evil.example', '<b>x</b>', 'a\r\nBcc: x@y.z'].entries())
      await invite(`a${index}@example.com`, { full_name })
    for (const mail of await app.deliverMails()) {
      expect(mail.text).toMatch(/^Hello,\n/)
      expect(mail.html).not.toContain('<b>')
    }
  })
})

describe('its token', () => {
  test('is not an access token or reset token, nor vice versa', async () => {
    const { app, root, invite, accept } = await stage()
    const shown = tokenOf((await invite('ada@example.com')).json<Invitation>())
    await app.deliverMails()
    await app.anonymous.post('/password-recovery/ada@example.com')
    const reset = tokenIn((await app.deliverMails())[0])
    for (const token of [shown, reset]) expect((await app.as(token).get('/users/me')).statusCode).toBe(401)
    for (const token of [reset, root.token]) expect(statusAndBody(await accept(token))).toEqual(invalid)
    for (const token of [shown, root.token]) {
      const json = { token, new_password: newPassword }
      expect(statusAndBody(await app.anonymous.post('/reset-password/', json))).toEqual(invalid)
    }
  })

  test('is audited if invalid, at most 30 times in 15 minutes per network', async () => {
    const { app, accept } = await stage()
    for (let i = 0; i < 35; i += 1) {
      await accept('none')
      await app.anonymous.post('/reset-password/', { token: 'none', new_password: newPassword }, { ip: '192.0.2.1' })
    }
    const entry = { result: 'invalid-token', actor_id: null, subject_id: null }
    const thirtyFrom = (origin: string) => Array.from({ length: 30 }, () => ({ ...entry, origin }))
    expect(await auditOf(app, 'invitation-accept')).toMatchObject(thirtyFrom('127.0.0.1'))
    expect(await auditOf(app, 'password-reset')).toMatchObject(thirtyFrom('192.0.2.1'))
    expect(await auditOf(app)).toHaveLength(60)
  })
})

describe('an invited user', () => {
  test('gets the same log-in responses and limits as an unknown address', async () => {
    const { app, invite } = await stage()
    await invite('ada@example.com')
    const logIn = (username: string, password: string) => app.tryLogIn(username, password)
    for (const password of ['', ' ', 'null', newPassword]) {
      const [invited, unknown] = [await logIn('ada@example.com', password), await logIn('nobody@example.com', password)]
      expect(statusAndBody(invited)).toEqual(statusAndBody(unknown))
    }
    expect(statusAndBody(await logIn('ada@example.com', 'x'))).toEqual([400, { detail: 'Incorrect email or password' }])
    const statuses = []
    for (let i = 0; i < 7; i += 1) statuses.push((await logIn('ada@example.com', 'x')).statusCode)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429])
  })

  test('costs a hash at log-in, like an unknown address', async () => {
    const { app, invite } = await stage()
    await invite('ada@example.com')
    const check = vi.spyOn(app.context.hashing, 'check')
    for (const username of ['ada@example.com', 'nobody@example.com']) await app.tryLogIn(username, 'x')
    expect(check.mock.calls.map(([password, hash]) => [password, hash])).toEqual([
      ['x', undefined],
      ['x', undefined],
    ])
  })

  test('does not count as the last superuser', async () => {
    const { app, root, invite, admin, accept } = await stage()
    const invited = (await invite('ada@example.com', { is_superuser: true })).json<Invitation>()
    expect((await admin('PATCH', root.id, { is_superuser: false })).statusCode).toBe(409)
    expect((await admin('PATCH', root.id, { is_active: false })).statusCode).toBe(409)
    expect((await accept(tokenOf(invited))).statusCode).toBe(200)
    expect((await admin('PATCH', root.id, { is_superuser: false })).statusCode).toBe(200)
    expect(await app.logIn('ada@example.com', newPassword)).toBeTypeOf('string')
  })

  test('with the superuser role can be demoted, deactivated and deleted', async () => {
    const { invite, admin } = await stage()
    for (const [index, json] of [{ is_superuser: false }, { is_active: false }, undefined].entries()) {
      const { user } = (await invite(`a${index}@example.com`, { is_superuser: true })).json<Invitation>()
      expect((await admin(json ? 'PATCH' : 'DELETE', user.id, json)).statusCode).toBe(200)
    }
  })

  test('can recover a password, which ends the invitation', async () => {
    const { app, invite, resend } = await stage()
    const { user } = (await invite('ada@example.com')).json<Invitation>()
    expect((await resetByMail(app, 'ada@example.com')).statusCode).toBe(200)
    expect(await app.logIn('ada@example.com', newPassword)).toBeTypeOf('string')
    expect((await resend(user.id)).statusCode).toBe(409)
    expect(await app.store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
  })
})

describe('concurrently', () => {
  test('an invitation is accepted once, by link and mail', async () => {
    const servers = await buildServers()
    const [one] = servers
    const { invite } = toolsOf(one, await one.newUser({ is_superuser: true }))
    const shown = tokenOf((await invite('ada@example.com')).json<Invitation>())
    const mailed = tokenIn((await one.deliverMails())[0])
    const responses = await allAtOnce(servers, (server, index) => {
      const json = { token: index % 3 === 0 ? shown : mailed, password: `password number ${index}` }
      return server.anonymous.post('/accept-invitation', json)
    })
    expect(tally(responses)).toEqual({ 200: 1, 400: TIMES - 1 })
    const winner = responses.findIndex(({ statusCode }) => statusCode === 200)
    expect(await one.logIn('ada@example.com', `password number ${winner}`)).toBeTypeOf('string')
  })

  test.each(['PATCH', 'DELETE'] as const)(
    'an invitation is not accepted for an account that ends: %s',
    async (method) => {
      const [one, two] = await buildServers()
      const { invite, admin } = toolsOf(one, await one.newUser({ is_superuser: true }))
      for (let round = 0; round < 20; round += 1) {
        const email = `a${round}@example.com`
        const invited = (await invite(email)).json<Invitation>()
        const json = { token: tokenOf(invited), password: newPassword }
        const [accepted, ended] = await Promise.all([
          two.anonymous.post('/accept-invitation', json),
          admin(method, invited.user.id, method === 'PATCH' ? { is_active: false } : undefined),
        ])
        expect(ended.statusCode).toBe(200)
        expect([200, 400]).toContain(accepted.statusCode)
        expect(await one.logIn(email, newPassword)).toBeUndefined()
        expect(statusAndBody(await two.anonymous.post('/accept-invitation', json))).toEqual(invalid)
      }
      await expectConsistentCounts(one)
    },
  )

  test('two superusers invite the same address once', async () => {
    const servers = await buildServers()
    const [one] = servers
    const roots = [await one.newUser({ is_superuser: true }), await one.newUser({ is_superuser: true })]
    const responses = await allAtOnce(servers, (server, index) =>
      server.as(roots[index % 2]?.token).post('/users/invite', { email: 'ada@example.com' }),
    )
    expect(tally(responses)).toEqual({ 200: 1, 409: TIMES - 1 })
    await expectConsistentCounts(one)
    expect(await one.deliverMails()).toHaveLength(1)
  })

  test('of an invitation that is sent again while its mail is sent, the newest is valid', async () => {
    const [one, two] = await buildServers()
    const { invite, resend, accept } = toolsOf(one, await one.newUser({ is_superuser: true }))
    for (let round = 0; round < 10; round += 1) {
      const first = (await invite(`a${round}@example.com`)).json<Invitation>()
      const [mails, again] = await Promise.all([two.deliverMails(), resend(first.user.id)])
      const later = await one.deliverMails()
      expect(statusAndBody(await accept(tokenOf(first)))).toEqual(invalid)
      const sent = [...mails, ...later].filter(({ kind }) => kind === 'invitation')
      for (const mail of sent.slice(0, -1)) expect(statusAndBody(await accept(tokenIn(mail)))).toEqual(invalid)
      const newest = round % 2 === 0 ? tokenIn(sent.at(-1)) : tokenOf(again.json<Invitation>())
      expect((await accept(newest)).statusCode).toBe(200)
      await one.deliverMails()
    }
  })
})

describe('closed sign-up', () => {
  test('rejects every request alike, without counting it', async () => {
    const { anonymous, newUser, store } = await buildTestApp({ SIGN_UP: 'closed', SIGNUP_LIMIT_PER_HOUR: '1' })
    await newUser({ email: 'ada@example.com' })
    const closed = [409, { detail: 'Sign-up is closed' }]
    for (const json of [{ email: 'ben@example.com', password: newPassword }, { email: 'ada@example.com' }, {}, [], 1])
      expect(statusAndBody(await anonymous.post('/users/signup', json))).toEqual(closed)
    expect(statusAndBody(await anonymous.post('/users/signup'))).toEqual(closed)
    expect(statusAndBody(await anonymous.post('/users/signup/', new URLSearchParams({ a: 'b' })))).toEqual(closed)
    expect(statusAndBody(await anonymous.post('/users/signup', { email: 'x'.repeat(70_000) }))).toEqual(closed)
    expect(await store.db.selectFrom('limits').selectAll().execute()).toEqual([])
    expect(await store.db.selectFrom('audit').selectAll().execute()).toEqual([])
    expect((await anonymous.get('/instance')).json()).toEqual({
      name: 'Steward',
      version: manifest.version,
      sign_up: 'closed',
      passkeys: true,
      second_factor: 'optional',
      confirm_email: false,
      oidc: null,
      password_log_in: true,
      mail: false,
    })
  })

  test('does not affect invitations and accounts by administrators', async () => {
    const { app, root, invite, accept } = await stage({ SIGN_UP: 'closed', VITE_APP_NAME: 'Our <House>' })
    expect((await accept(tokenOf((await invite('ada@example.com')).json<Invitation>()))).statusCode).toBe(200)
    expect((await root.post('/users/', { email: 'ben@example.com', password: newPassword })).statusCode).toBe(200)
    expect((await app.anonymous.get('/instance')).json()).toMatchObject({ name: 'Our <House>' })
  })

  test('is not the default', async () => {
    const { anonymous } = await buildTestApp()
    expect((await anonymous.get('/instance')).json()).toMatchObject({ sign_up: 'open' })
  })
})
