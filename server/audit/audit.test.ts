import { describe, expect, test } from 'vitest'
import { runAdminCommand } from '../cli/admin.ts'
import { buildTestApp, knownPassword, newPassword, type TestApp, tokenIn } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import { run } from '../test/run-command.ts'
import { setUpApp } from '../test/second-factors.ts'

async function runCommand({ context }: TestApp, args: string[], { typed = '', hasUrl = true } = {}) {
  const config = { ...context.config, publicUrl: hasUrl ? 'https://example.com' : undefined }
  return run((terminal) => runAdminCommand(args, { ...context, config }, terminal), typed)
}

describe('the audit', () => {
  test('has action, result, actor, subject and network address', async () => {
    const testApp = await buildTestApp()
    const { tryLogIn, anonymous, newUser, deliverMails, clock } = testApp
    const root = await newUser({ is_superuser: true, email: 'root@example.com' })

    const ip = '192.0.2.7'
    const logIn = async (email: string, password: string) => tryLogIn(email, password, { ip })
    const steps = [
      () => anonymous.post('/users/signup', { email: 'ada@example.com', password: newPassword }, { ip }),
      () => logIn('ada@example.com', 'wrong'),
      () => logIn('nobody@example.com', 'wrong'),
      () => root.post('/users/', { email: 'ben@example.com', password: newPassword }, { ip }),
      () => deliverMails(),
      () => root.patch('/users/me', { full_name: 'Root' }, { ip }),
      () => anonymous.post('/password-recovery/ada@example.com', undefined, { ip }),
      async () => {
        const reset = tokenIn((await deliverMails()).find(({ to }) => to === 'ada@example.com'))
        await anonymous.post('/reset-password/', { token: reset, new_password: 'yet another one' }, { ip })
      },
      () => root.post('/logout', undefined, { ip }),
    ]
    for (const step of steps) {
      clock.advance(1000)
      await step()
    }
    const { code, said } = await runCommand(testApp, ['audit'])
    expect(code).toBe(0)
    expect(said.toReversed().map((line) => line.replace(/^\S+ {2}/, ''))).toEqual([
      'sign-up done  by ada@example.com  about ada@example.com  from 192.0.2.7',
      'log-in wrong-password  by -  about ada@example.com  from 192.0.2.7',
      'log-in wrong-password  by -  about -  from 192.0.2.7',
      'account-create done  by root@example.com  about ben@example.com  from 192.0.2.7',
      'welcome-mail no-mail-server  by root@example.com  about ben@example.com  from 192.0.2.7',
      'account-change done  by root@example.com  about root@example.com  from 192.0.2.7',
      'reset-link done  by -  about ada@example.com  from 192.0.2.7',
      'password-reset done  by -  about ada@example.com  from 192.0.2.7',
      'log-out done  by root@example.com  about root@example.com  from 192.0.2.7',
    ])
    expect((await runCommand(testApp, ['audit', '2'])).said).toHaveLength(2)
  })

  test('says that a welcome mail is done only if there is a mail server', async () => {
    const { store, root } = await buildTestAppWith({ root: { is_superuser: true } }, { SMTP_URL: 'smtp://127.0.0.1:1' })
    await root.post('/users/', { email: 'ben@example.com', password: newPassword })
    expect(await auditOf({ store }, 'welcome-mail')).toMatchObject([{ result: 'done' }])
  })

  test('has changes of password, address, role and status, and deletions after the account is gone', async () => {
    const testApp = await buildTestApp()
    const { newUser } = testApp
    const root = await newUser({ is_superuser: true, email: 'root@example.com' })
    const ada = await newUser()
    const json = { password: newPassword, email: 'new@example.com', is_superuser: true, is_active: false }
    await root.patch(`/users/${ada.id}`, json)
    await root.delete(`/users/${ada.id}`)
    const { said } = await runCommand(testApp, ['audit'])
    const about = `by root@example.com  about ${ada.id}  from 127.0.0.1`
    expect(new Set(said.map((line) => line.replace(/^\S+ {2}/, '')))).toEqual(
      new Set(
        ['password-set', 'address-change', 'role-change', 'status-change', 'account-delete'].map(
          (action) => `${action} done  ${about}`,
        ),
      ),
    )
  })

  test('has both values of what changed in an account', async () => {
    const { newUser, store } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const ada = await newUser({ email: 'ada@example.com', full_name: 'Ada' })
    const json = {
      password: newPassword,
      email: 'b@example.com',
      is_superuser: true,
      is_active: false,
      full_name: null,
    }
    await root.patch(`/users/${ada.id}`, json)
    await root.patch(`/users/${ada.id}`, { email: 'B@example.com' })
    expect((await auditOf({ store })).map(({ action, details }) => [action, details])).toEqual([
      ['account-change', { full_name: { from: 'Ada', to: null } }],
      ['address-change', { email: { from: 'ada@example.com', to: 'b@example.com' } }],
      ['status-change', { is_active: { from: true, to: false } }],
      ['password-set', null],
      ['role-change', { is_superuser: { from: false, to: true } }],
      ['account-change', { email: { from: 'b@example.com', to: 'B@example.com' } }],
    ])
  })

  test('has no entries of rejected changes', async () => {
    const { anonymous, store, root } = await buildTestAppWith({ root: { is_superuser: true } })
    await root.patch(`/users/${root.id}`, { is_superuser: false })
    await root.delete(`/users/${root.id}`)
    await anonymous.post('/users/signup', { email: root.email, password: newPassword })
    expect(await store.db.selectFrom('audit').selectAll().execute()).toEqual([])
  })

  test('has no secrets', async () => {
    const { tryLogIn, store, ada } = await buildTestAppWith({ ada: {} })
    await tryLogIn(ada.email, ada.password)
    await ada.patch('/users/me/password', { current_password: ada.password, new_password: newPassword })
    const text = JSON.stringify(await store.db.selectFrom('audit').selectAll().execute())
    for (const secret of [ada.email, ada.password, newPassword, ada.token]) expect(text).not.toContain(secret)
  })
})

describe('the log', () => {
  test('has a request id and a route, and no secrets', async () => {
    const { app, tryLogIn, newUser, log } = await buildTestApp()
    const ada = await newUser()
    await ada.patch('/users/me', { full_name: 'a private name' })
    await tryLogIn(ada.email, ada.password)
    await ada.get(`/users/me?secret=${ada.token}`)
    // A browser opens these pages from mailed links.
    for (const page of ['/reset-password', '/accept-invitation', '/api/v1/reset-password/', '/api/nothing'])
      await app.inject(`${page}?token=${ada.token}`)
    const [line] = log.lines()
    const request = { reqId: expect.stringMatching(/^[\da-f-]{36}$/), route: '/api/v1/users/me', status: 200 }
    expect(line).toMatchObject(request)
    for (const secret of [ada.email, knownPassword, ada.token, 'private']) expect(log.text()).not.toContain(secret)
  })

  test('has the kind of a database error, and no values', async () => {
    const { app, log } = await buildTestApp()
    log.expectErrors()
    const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ada@example.com)' })
    app.log.error({ err: error }, 'failed')
    expect(log.text()).toContain('"code":"23505"')
    expect(log.text()).not.toContain('ada@example.com')
  })
})

describe('the admin command', () => {
  test('creates a superuser with a typed or generated password', async () => {
    const testApp = await buildTestApp()
    const { logIn, as, store } = testApp
    const typed = await runCommand(testApp, ['create-superuser', 'root@example.com'], { typed: newPassword })
    expect(typed).toEqual({ code: 0, said: ['Created the superuser root@example.com'] })
    expect(await store.db.selectFrom('audit').select('origin').execute()).toEqual([{ origin: 'server' }])
    const token = await logIn('root@example.com', newPassword)
    expect((await as(token).get('/users/me')).json()).toMatchObject({ is_superuser: true, is_active: true })

    const { said } = await runCommand(testApp, ['create-superuser', 'two@example.com'])
    const [, made = ''] = /^The password is (\S{22}) \(/.exec(said[0] ?? '') ?? []
    expect(await logIn('two@example.com', made)).toBeTypeOf('string')
    const taken = { code: 1, said: ['! A user with this email already exists'] }
    expect(await runCommand(testApp, ['create-superuser', 'TWO@example.com'])).toEqual(taken)
    expect((await runCommand(testApp, ['create-superuser', 'two'])).code).toBe(1)
    expect((await runCommand(testApp, ['create-superuser', 'x@example.com'], { typed: 'short' })).code).toBe(1)
  })

  test('invites a user without a link if the address of the server is unknown', async () => {
    expect(await runCommand(await buildTestApp(), ['invite', 'ada@example.com'], { hasUrl: false })).toEqual({
      code: 1,
      said: ['! Invited ada@example.com. Set PUBLIC_URL and repeat the command for a link'],
    })
  })

  test('invites a user, again with a new link, and prints the link', async () => {
    const testApp = await buildTestApp()
    const { deliverMails, anonymous, as, logIn, newUser } = testApp
    const first = await runCommand(testApp, ['invite', 'Ada@Example.com', '--superuser', '--name', 'Ada Lovelace'])
    const invited = [0, [expect.stringMatching(/^Invited Ada@Example.com. .*token=[\w-]{43}$/)]]
    expect([first.code, first.said]).toEqual(invited)
    const again = await runCommand(testApp, ['invite', 'ada@example.com'])
    expect((await deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([['Ada@Example.com', 'invitation']])
    const accept = ({ said: [text = ''] }: typeof again) =>
      anonymous.post('/accept-invitation', { token: tokenIn({ text }), password: newPassword })
    expect((await accept(first)).statusCode).toBe(400)
    expect((await accept(again)).statusCode).toBe(200)
    const token = await logIn('ada@example.com', newPassword)
    const me = { is_superuser: true, full_name: 'Ada Lovelace', email: 'Ada@Example.com' }
    expect((await as(token).get('/users/me')).json()).toMatchObject(me)

    const idle = await newUser({ is_active: false })
    for (const [args, code, said] of [
      [['invite', 'ada@example.com'], 1, '! This user has already set a password'],
      [['invite', idle.email], 1, '! This user is inactive'],
      [['invite', 'x'], 1, '! That is not an email address'],
      [['invite', 'x@example.com', '--name', 'x'.repeat(256)], 1, '! That name is too long'],
      [['invite', 'x@example.com', '--admin'], 2, expect.stringContaining('Usage')],
      [['invite', 'x@example.com', 'y'], 2, expect.stringContaining('Usage')],
      [['invite', 'x@example.com', '--name'], 2, expect.stringContaining('Usage')],
    ] as const)
      expect(await runCommand(testApp, [...args])).toEqual({ code, said: [said] })
  })

  test('mails the invitation if there is a mail server', async () => {
    const testApp = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const { said } = await runCommand(testApp, ['invite', 'ada@example.com'])
    expect(said).toEqual(['Invited ada@example.com. The server sends the mail'])
    expect((await testApp.deliverMails()).map(({ to }) => to)).toEqual(['ada@example.com'])
  })

  test('sets a password, which ends all sessions and sends a mail', async () => {
    const { app, logIn, deliverMails, ada } = await buildTestAppWith({ ada: {} })
    expect((await runCommand(app, ['set-password', ada.email], { typed: newPassword })).code).toBe(0)
    expect((await ada.get('/users/me')).statusCode).toBe(401)
    expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
    expect((await deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'password-changed']])
    const unknown = { code: 1, said: ['! User not found'] }
    expect(await runCommand(app, ['set-password', 'nobody@example.com'], { typed: newPassword })).toEqual(unknown)
  })

  test('resets the second factor, which ends all sessions and sends a mail', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    await setUpApp(app, ada)
    await app.deliverMails()
    const reset = (address: string) => runCommand(app, ['reset-second-factor', address])
    expect(await reset(ada.email)).toEqual({ code: 0, said: [`Reset the second factor of ${ada.email}`] })
    expect((await ada.get('/users/me')).statusCode).toBe(401)
    expect(await app.logIn(ada.email, ada.password)).toBeTypeOf('string')
    expect((await app.deliverMails()).map(({ to, kind }) => [to, kind])).toEqual([[ada.email, 'second-factor-reset']])
    expect(await reset('nobody@example.com')).toEqual({ code: 1, said: ['! User not found'] })
  })

  test('prints a link that logs in, once, and needs an account that may', async () => {
    const testApp = await buildTestApp({ PUBLIC_URL: 'https://steward.example' })
    const ada = await testApp.newUser()
    const ben = await testApp.newUser({ is_active: false })
    const command = (address: string) => runCommand(testApp, ['log-in-link', address])
    const { code, said } = await command(ada.email)
    const [, token] = /^The link works once, for 10 minutes: https:\/\/steward\.example\/login#link=(.+)$/.exec(
      said.join('\n'),
    ) ?? ['', '']
    expect(code).toBe(0)
    const logIn = async () => (await testApp.anonymous.post('/login/link', { token })).statusCode
    expect([await logIn(), await logIn()]).toEqual([200, 400])
    expect(await command(ben.email)).toEqual({ code: 1, said: ['! This user is inactive'] })
    expect(await command('nobody@example.com')).toEqual({ code: 1, said: ['! User not found'] })
  })

  test('enforces the strict password policy', async () => {
    const { app, ada } = await buildTestAppWith({ ada: { full_name: 'Augusta Byron' } }, { PASSWORD_POLICY: 'strict' })
    for (const [args, weak, why] of [
      [['create-superuser', 'root@example.com'], 'Password 123', 'Password is too common'],
      [['set-password', ada.email], 'password123', 'Password is too common'],
      [['set-password', ada.email], 'Augusta1', 'Password should not be made of your name or email address'],
    ] as const)
      expect(await runCommand(app, [...args], { typed: weak })).toEqual({ code: 1, said: [`! ${why}`] })
    expect((await ada.get('/users/me')).statusCode).toBe(200)
    expect((await runCommand(app, ['set-password', ada.email], { typed: newPassword })).code).toBe(0)
    expect((await runCommand(app, ['create-superuser', 'root@example.com'])).code).toBe(0)
  })

  test('lists and ends sessions', async () => {
    const { app, logIn, ada } = await buildTestAppWith({ ada: {} })
    await logIn(ada.email, ada.password)
    const listed = await runCommand(app, ['list-sessions', ada.email])
    const session = 'created 2026-01-01T00:00:00.000Z  last used 2026-01-01T00:00:00.000Z'
    expect(listed.said).toEqual([session, session, '2 sessions'])
    expect(listed.said.join()).not.toContain(ada.token)
    expect((await runCommand(app, ['end-sessions', ada.email])).said).toEqual(['2 sessions ended'])
    expect((await ada.get('/users/me')).statusCode).toBe(401)
    expect((await runCommand(app, ['list-sessions', ada.email])).said).toEqual(['0 sessions'])
  })

  test('prints its usage', async () => {
    const testApp = await buildTestApp()
    for (const args of [[], ['nonsense'], ['set-password'], ['toString', 'x'], ['audit', '-1'], ['audit', 'x']]) {
      const { code, said } = await runCommand(testApp, args)
      expect([args, code, said[0]]).toEqual([args, 2, expect.stringContaining('Usage: npm run admin')])
    }
  })
})
