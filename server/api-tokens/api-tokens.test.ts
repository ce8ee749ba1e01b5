import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ApiTokenPublic, AuditEntry } from '../contract/types.gen.ts'
import { newPassword, nobody, type Person, statusAndBody, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith, resetByMail } from '../test/people.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { buildServers, tally } from '../test/two-servers.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const over = [401, { detail: 'Could not validate credentials' }]

async function listOf(person: Person, url = '/users/me/tokens'): Promise<ApiTokenPublic[]> {
  const { data, count } = (await person.get(url)).json<{ data: ApiTokenPublic[]; count: number }>()
  expect(count).toBe(data.length)
  return data
}

async function statusOf({ as }: TestApp, token: string): Promise<number> {
  return (await as(token).get('/users/me')).statusCode
}

async function auditOf(root: Person): Promise<AuditEntry[]> {
  return (await root.get('/audit/')).json<{ data: AuditEntry[] }>().data
}

function ask({ as, clock }: TestApp, person: Person, aheadMs: number, more: object = {}) {
  const expires_at = new Date(clock.now() + aheadMs).toISOString()
  return as(person).post('/users/me/tokens', { name: 'Export', scope: 'read', expires_at, ...more })
}

describe('an API token', () => {
  test('is shown once, as prefix, random letters and check sum, and only its digest is stored', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const response = await ask(app, ada, 30 * DAY, { name: '  Nightly export ', scope: 'write' })
    const { token, ...shown } = response.json<ApiTokenPublic & { token: string }>()
    expect(shown).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'Nightly export',
      scope: 'write',
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-31T00:00:00.000Z',
      last_used_at: null,
      address: null,
    })
    expect(await listOf(ada)).toEqual([shown])
    const [, random = '', check = ''] = /^stw_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(token) ?? []
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const read = (text: string) =>
      Array.from(text).reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)
    expect(read(random)).toBeLessThan(1n << 256n)
    expect(read(check)).toBe(BigInt(crc32(random)))
    expect(JSON.stringify(await app.store.db.selectFrom('api_tokens').selectAll().execute())).not.toContain(random)
    expect(await statusOf(app, token)).toBe(200)
  })

  test('may expire in an hour to 366 days, to a minute, at a time with its zone', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    for (const [ahead, status] of [
      [HOUR - MINUTE - 1, 422],
      [HOUR - MINUTE, 200],
      [366 * DAY + MINUTE, 200],
      [366 * DAY + MINUTE + 1, 422],
      [-HOUR, 422],
    ] as const)
      expect([ahead, (await ask(app, ada, ahead)).statusCode]).toEqual([ahead, status])
    for (const [expires_at, status] of [
      ['2026-02-01T01:00:00+01:00', 200],
      ['2026-02-01T00:00:00.5z', 200],
      ['2026-02-01T00:00:00', 422],
      ['2026-02-01', 422],
      ['2026-02-30T00:00:00Z', 422],
      ['2026-02-01T23:59:60Z', 422],
      [1_800_000_000_000, 422],
      ['', 422],
      [null, 422],
    ] as const)
      expect([expires_at, (await ask(app, ada, 0, { expires_at })).statusCode]).toEqual([expires_at, status])
    const { detail } = (await ask(app, ada, DAY * 400)).json<{ detail: unknown }>()
    expect(detail).toEqual([
      { loc: ['body', 'expires_at'], msg: 'Time should be 1 hour to 366 days ahead', type: 'unprocessable' },
    ])
  })

  test('has a visible name of at most 64 characters, and one of two scopes', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const wrong = [
      { name: '' },
      { name: ' \u200b ' },
      { name: 'x'.repeat(65) },
      { scope: 'admin' },
      { scope: undefined },
    ]
    for (const more of wrong) expect((await ask(app, ada, DAY, more)).statusCode).toBe(422)
    expect((await ask(app, ada, DAY, { name: '👩'.repeat(64) })).statusCode).toBe(200)
  })

  test('needs a fresh session, is told to its owner, and is in the audit log', async () => {
    const { app, ada } = await buildTestAppWith({ ada: { is_superuser: true } })
    const { id } = await app.newApiToken(ada, 'read')
    const [mail] = await app.deliverMails()
    expect([mail?.to, mail?.subject]).toEqual([ada.email, 'An API token was created for your Steward account'])
    await ada.delete(`/users/me/tokens/${id}`)
    expect(await auditOf(ada)).toMatchObject([
      { action: 'token-delete', actor: { id: ada.id }, details: { name: 'Nightly export' } },
      { action: 'token-create', actor: { id: ada.id }, details: { name: 'Nightly export', scope: 'read' } },
    ])
    app.clock.advance(11 * MINUTE)
    expect(statusAndBody(await ask(app, ada, DAY))).toEqual([423, { detail: 'Please confirm that it is you' }])
  })

  test('is one of at most 20 that have not expired, even with concurrent requests to two servers', async () => {
    const servers = await buildServers()
    const [app] = servers
    const ada = await app.newUser()
    for (let number = 0; number < 5; number += 1) await ask(app, ada, HOUR)
    const begun = Array.from({ length: 24 }, (_, index) => ask(servers[index % 2 === 0 ? 0 : 1], ada, 2 * HOUR))
    const responses = await Promise.all(begun)
    expect(tally(responses)).toEqual({ 200: 15, 409: 9 })
    expect(responses.find(({ statusCode }) => statusCode === 409)?.json()).toEqual({ detail: 'At most 20 tokens' })
    app.clock.advance(HOUR)
    const fresh = await app.newSession(ada)
    const more = await Promise.all(Array.from({ length: 7 }, () => ask(app, fresh, DAY)))
    expect(tally(more)).toEqual({ 200: 5, 409: 2 })
  })

  test('is one of at most 100 that an account may create a day', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    for (let number = 0; number < 100; number += 1) {
      await app.newApiToken(ada, 'read')
      await app.store.db.deleteFrom('api_tokens').execute()
    }
    const refused = await ask(app, ada, DAY)
    expect(statusAndBody(refused)).toEqual([429, { detail: 'Too many new API tokens, please try again later' }])
    expect(await listOf(ada)).toEqual([])
  })

  test('that expired is refused, listed for 30 days, and then deleted', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const { token } = (await ask(app, ada, HOUR)).json<{ token: string }>()
    app.clock.advance(HOUR - 1)
    expect(await statusOf(app, token)).toBe(200)
    app.clock.advance(1)
    expect(statusAndBody(await app.as(token).get('/users/me'))).toEqual(over)
    app.clock.advance(30 * DAY - 1)
    const again = await app.newSession(ada)
    await app.housekeeping.runAll()
    expect(await listOf(again)).toHaveLength(1)
    app.clock.advance(1)
    expect(await listOf(again)).toEqual([])
    await app.housekeeping.runAll()
    expect(await app.store.db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
  })

  test('that was created while the clock was ahead is not valid', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const { token } = await app.newApiToken(ada, 'read')
    const created_at = app.clock.now() + 10 * MINUTE
    await app.store.db.updateTable('api_tokens').set({ created_at }).execute()
    expect(await statusOf(app, token)).toBe(401)
  })

  test('is ended by its owner and by superusers, and not by others', async () => {
    const { app, ada, ben, root } = await buildTestAppWith({ ada: {}, ben: {}, root: { is_superuser: true } })
    const [first, second] = [await app.newApiToken(ada, 'read', 'One'), await app.newApiToken(ada, 'write', 'Two')]
    const { as } = app
    expect((await listOf(root, `/users/${ada.id}/tokens`)).map(({ name }) => name)).toEqual(['Two', 'One'])
    const notFound = [404, { detail: 'Token not found' }]
    const end = (person: Person, url: string) => person.delete(url)
    for (const id of [first.id, nobody])
      expect(statusAndBody(await end(ben, `/users/me/tokens/${id}`))).toEqual(notFound)
    expect(statusAndBody(await end(root, `/users/${ben.id}/tokens/${first.id}`))).toEqual(notFound)
    const ended = [200, { message: 'Token ended' }]
    expect(statusAndBody(await end(ada, `/users/me/tokens/${first.id.toUpperCase()}`))).toEqual(ended)
    expect(statusAndBody(await end(ada, `/users/me/tokens/${first.id}`))).toEqual(notFound)
    expect((await end(root, `/users/${ada.id}/tokens/${second.id}`)).statusCode).toBe(200)
    for (const { token } of [first, second]) expect(statusAndBody(await as(token).get('/users/me'))).toEqual(over)
    const [entry] = await auditOf(root)
    expect(entry).toMatchObject({
      action: 'token-delete',
      actor: { id: root.id },
      subject: { id: ada.id },
      details: { name: 'Two' },
    })
  })
})

describe('its use', () => {
  test('is recorded once a minute with its address, and is no activity of a person', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const program = await app.newApiToken(ada, 'read')
    const user = (await ada.get('/users/me')).json<{ last_active_at: string }>()
    app.clock.advance(2 * DAY)
    const use = (ip: string) => program.get('/users/me', { ip })
    await use('192.0.2.1')
    app.clock.advance(MINUTE - 1)
    await use('192.0.2.2')
    const again = await app.newSession(ada)
    const used = { last_used_at: '2026-01-03T00:00:00.000Z', address: '192.0.2.1' }
    expect(await listOf(again)).toMatchObject([used])
    app.clock.advance(1)
    const { last_active_at } = (await use('2001:db8::1')).json<typeof user>()
    expect(await listOf(again)).toMatchObject([{ last_used_at: '2026-01-03T00:01:00.000Z', address: '2001:db8::1' }])
    expect([user.last_active_at, last_active_at]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:59.999Z'])
  })

  test('counts for `idle_days`, also when the token is gone', async () => {
    const { app, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    const { token } = await app.newApiToken(ada, 'read')
    const never = await app.newUser()
    await app.store.db.updateTable('users').set({ last_active_at: null }).where('id', '=', never.id).execute()
    app.clock.advance(20 * DAY)
    expect(await statusOf(app, token)).toBe(200)
    await app.store.db.deleteFrom('api_tokens').execute()
    app.clock.advance(5 * DAY)
    const root = await app.newUser({ is_superuser: true })
    const idle = async (query: string) => {
      const { data, count } = (await root.get(`/users/?${query}`)).json<{ data: { id: string }[]; count: number }>()
      expect(count).toBe(data.length)
      return data.map(({ id }) => id).toSorted()
    }
    const [all, others] = [[ada.id, ben.id, never.id].toSorted(), [ben.id, never.id].toSorted()]
    for (const more of ['', '&never_active=from_creation']) {
      expect(await idle(`idle_days=5${more}`)).toEqual(all)
      expect(await idle(`idle_days=6${more}`)).toEqual(others)
    }
    const idleOfOverview = async () => {
      const overview = await (await app.newSession(root)).get('/users/me/overview')
      return overview.json<{ users: { idle: number } }>().users.idle
    }
    app.clock.advance(80 * DAY)
    expect(await idleOfOverview()).toBe(2)
    app.clock.advance(5 * DAY + 1)
    expect(await idleOfOverview()).toBe(3)
  })

  test('is in the audit log: what the token did has its name', async () => {
    const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    const program = await app.newApiToken(root, 'write')
    const { send } = program
    type Call = [Parameters<typeof send>, string[]]
    const ofRows = anyResource.map(async (sample): Promise<Call[]> => {
      const { table, noun, changes } = sample
      const url = `/${table}/${await addRow(program, sample)}`
      return [
        [['PUT', url, changes[0]], [`${noun}-change`]],
        [['DELETE', url], [`${noun}-delete`]],
        [['GET', `/${table}/export`], [`${table}-export`]],
        [['POST', `/${table}/bulk`, { action: 'delete', filter: {}, count: 0 }], [`${table}-bulk`]],
      ]
    })
    const calls: Call[] = [
      ...(await Promise.all(ofRows)).flat(),
      [['GET', '/users/export'], ['users-export']],
      [['GET', '/audit/export'], ['audit-export']],
      [
        ['POST', '/users/bulk', { action: 'deactivate', ids: [ada.id] }],
        ['users-bulk', 'status-change'],
      ],
      [
        ['PATCH', `/users/${ada.id}`, { is_active: true, full_name: 'Ada' }],
        ['account-change', 'status-change'],
      ],
      [['POST', '/users/invite', { email: 'one@example.com' }], ['invite']],
      [
        ['POST', '/users/import', { rows: [{ email: 'two@example.com' }] }],
        ['users-import', 'invite'],
      ],
      [['DELETE', `/users/${ada.id}`], ['account-delete']],
    ]
    for (const [call] of calls) expect([call, (await send(...call)).statusCode]).toEqual([call, 200])
    const done = (await auditOf(root)).filter(({ action }) => action !== 'token-create').toReversed()
    const creations = anyResource.map(({ noun }) => `${noun}-create`)
    expect(done.map(({ action }) => action)).toEqual([...creations, ...calls.flatMap(([, actions]) => actions)])
    for (const { action, actor, details } of done)
      expect([action, actor?.id, details?.['token']]).toEqual([action, root.id, 'Nightly export'])
  })

  test('is limited to 600 requests a minute, over two servers, and refused ones write nothing', async () => {
    const servers = await buildServers()
    const [app, other] = servers
    const ada = await app.newUser()
    const [one, two] = [await app.newApiToken(ada, 'read'), await app.newApiToken(ada, 'read')]
    const allowed = await Promise.all(
      Array.from({ length: 700 }, (_, index) => servers[index % 2 === 0 ? 0 : 1].as(one).get('/users/me')),
    )
    expect(tally(allowed)).toEqual({ 200: 600, 429: 100 })
    const refused = allowed.find(({ statusCode }) => statusCode === 429)
    const tooMany = ['60', { detail: 'Too many requests of this token, please try again later' }]
    expect([refused?.headers['retry-after'], refused?.json()]).toEqual(tooMany)
    const uses = await app.store.db.selectFrom('limits').select('used').where('used', '>=', 600).execute()
    expect(uses).toEqual([{ used: 600 }])
    expect(await statusOf(app, two.token)).toBe(200)
    expect(await statusOf(app, ada.token)).toBe(200)
    app.clock.advance(MINUTE - 1)
    expect(await statusOf(other, one.token)).toBe(429)
    app.clock.advance(1)
    expect(await statusOf(other, one.token)).toBe(200)
  })
})

describe('an API token ends', () => {
  const admin = (root: Person, { id }: Person, json: object) => root.patch(`/users/${id}`, json)
  const bulk = (root: Person, { id }: Person, action: string, more: object = {}) =>
    root.post('/users/bulk', { action, ids: [id], ...more })
  const endAll = (root: Person, { id }: Person, json?: object) => root.post(`/users/${id}/sessions/end`, json)
  const endOthers = (person: Person, json?: object) => person.post('/users/me/sessions/end-others', json)
  const ownPassword = (person: Person, more: object) =>
    person.patch('/users/me/password', { current_password: person.password, new_password: newPassword, ...more })
  type Change = (root: Person, ada: Person, app: TestApp) => Promise<{ statusCode: number }>

  const endings: [string, Change][] = [
    ['with a deactivation', (root, ada) => admin(root, ada, { is_active: false })],
    ['with a deactivation of several', (root, ada) => bulk(root, ada, 'deactivate')],
    ['with a promotion', (root, ada) => admin(root, ada, { is_superuser: true })],
    ['with a promotion of several', (root, ada) => bulk(root, ada, 'make_superuser')],
    ['with an own password, if wanted', (_, ada) => ownPassword(ada, { end_tokens: true })],
    ['with a reset, if wanted', (_, ada, app) => resetByMail(app, ada.email, { end_tokens: true })],
    [
      'with the password of an administrator, if wanted',
      (root, ada) => admin(root, ada, { password: newPassword, end_tokens: true }),
    ],
    ['with the sessions, if wanted', (root, ada) => endAll(root, ada, { end_tokens: true })],
    ['with the sessions of several, if wanted', (root, ada) => bulk(root, ada, 'end_sessions', { end_tokens: true })],
    ['with the other sessions, if wanted', (_, ada) => endOthers(ada, { end_tokens: true })],
  ]
  test.each(endings)('%s, for good, as the log says', async (_, change) => {
    const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    const { token } = await app.newApiToken(ada, 'write')
    await app.newApiToken(ada, 'read')
    expect((await change(root, ada, app)).statusCode).toBe(200)
    expect(await statusOf(app, token)).toBe(401)
    const entry = (await auditOf(root)).find(({ details }) => details?.['removed_tokens'] !== undefined)
    expect(entry?.details?.['removed_tokens']).toBe(2)
    await admin(root, ada, { is_active: true, is_superuser: false })
    expect(await statusOf(app, token)).toBe(401)
    expect(await listOf(root, `/users/${ada.id}/tokens`)).toEqual([])
  })

  const others: [string, Change][] = [
    ['with an own password', (_, ada) => ownPassword(ada, {})],
    ['with a reset', (_, ada, app) => resetByMail(app, ada.email, { end_tokens: false })],
    ['with the password of an administrator', (root, ada) => admin(root, ada, { password: newPassword })],
    ['with another change of several', (root, ada) => bulk(root, ada, 'remove_superuser', { end_tokens: true })],
    ['with a wish alone', (root, ada) => admin(root, ada, { end_tokens: true, full_name: 'Ada' })],
    ['with the sessions', (root, ada) => endAll(root, ada)],
    ['with the sessions, by an empty body', (root, ada) => endAll(root, ada, {})],
    ['with the other sessions', (_, ada) => endOthers(ada)],
    ['with the sessions of several', (root, ada) => bulk(root, ada, 'end_sessions')],
    ['with an address', (root, ada) => admin(root, ada, { email: 'new@example.com' })],
  ]
  test.each(others)('not %s', async (_, change) => {
    const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    const { token } = await app.newApiToken(ada, 'read')
    expect((await change(root, ada, app)).statusCode).toBe(200)
    expect(await statusOf(app, token)).toBe(200)
  })

  test('not with a demotion, after which it may do what its account may', async () => {
    const { app, root, boss } = await buildTestAppWith({ root: { is_superuser: true }, boss: { is_superuser: true } })
    const program = await app.newApiToken(boss, 'read')
    const list = () => program.get('/users/')
    expect((await list()).statusCode).toBe(200)
    await admin(root, boss, { is_superuser: false })
    expect((await list()).statusCode).toBe(403)
    expect(await statusOf(app, program.token)).toBe(200)
  })

  test('with a reset, those from before a confirmation and those from after it, if wanted, as the log says', async () => {
    const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    await app.newApiToken(ada, 'read')
    app.clock.advance(1000)
    const email_confirmed_at = app.clock.now()
    await app.store.db.updateTable('users').set({ email_confirmed_at }).where('id', '=', ada.id).execute()
    for (let time = 0; time < 2; time += 1) await app.newApiToken(ada, 'read')
    expect((await resetByMail(app, ada.email, { end_tokens: true })).statusCode).toBe(200)
    expect((await auditOf(root))[0]).toMatchObject({ action: 'password-reset', details: { removed_tokens: 3 } })
  })

  test('with its account, and with the first proof of the address', async () => {
    const { app, root, ada, ben } = await buildTestAppWith({ root: { is_superuser: true }, ada: {}, ben: {} })
    const [one, two] = [await app.newApiToken(ada, 'read'), await app.newApiToken(ben, 'read')]
    await root.delete(`/users/${ada.id}`)
    expect(await statusOf(app, one.token)).toBe(401)
    await app.store.db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', ben.id).execute()
    expect((await resetByMail(app, ben.email)).json()).toEqual({
      message:
        'Password updated successfully. The API tokens that were set up before this address was confirmed were removed',
    })
    expect(await statusOf(app, two.token)).toBe(401)
    const [mail] = await app.deliverMails()
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain('and the API tokens that were set up before')
    expect((await auditOf(root))[0]).toMatchObject({ action: 'password-reset', details: { removed_tokens: 1 } })
  })
})
