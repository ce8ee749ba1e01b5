import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { watchEvents } from '../../tests/support/watch-events.ts'
import { type Operation, operations } from '../platform/http/contract.ts'
import { isApiToken, newApiToken } from '../sessions/api-token-text.ts'
import { anyResource } from './any-resource.ts'
import { auditOf } from './audit-entries.ts'
import { buildTestApp, statusAndBody, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { allAtOnce, buildPeopledServers, expectConsistentCounts, tally } from './two-servers.ts'

const over = [401, { detail: 'Could not validate credentials' }]
const notForTokens = [403, { detail: 'Tokens cannot do this' }]

describe('the text of an API token', () => {
  test('with a typing error is refused before the database is asked', async () => {
    const { as, newUser, newApiToken: make, store } = await buildTestApp()
    const { token } = await make(await newUser(), 'write')
    const asked = vi.spyOn(store.db, 'executeQuery')
    const wrong = Array.from({ length: token.length - 4 }, (_, index) => index + 4).flatMap((index) => [
      token.slice(0, index) + (token[index] === 'a' ? 'b' : 'a') + token.slice(index + 1),
      token.slice(0, index) + token.slice(index + 1),
      `${token.slice(0, index)}0${token.slice(index)}`,
    ])
    const inUpperCase = token.toUpperCase().replace('STW', 'stw')
    const others = [`${token}=`, `${token} ${token}`, `stw_${'0'.repeat(49)}`, 'stw_', inUpperCase]
    for (const text of [...wrong, ...others])
      expect([text, statusAndBody(await as(text).get('/users/me'))]).toEqual([text, over])
    expect(asked).not.toHaveBeenCalled()
    expect(wrong.some(isApiToken)).toBe(false)
  })

  test('that nobody has is refused, as are those of the digest and of a session in its form', async () => {
    const { as, newUser, newApiToken: make, store } = await buildTestApp()
    const ada = await newUser()
    await make(ada, 'write')
    const { token_hash } = await store.db.selectFrom('api_tokens').select('token_hash').executeTakeFirstOrThrow()
    for (const token of [newApiToken(), token_hash, `stw_${token_hash}`, `stw_${ada.token}`])
      expect(statusAndBody(await as(token).get('/users/me'))).toEqual(over)
  })

  test('is not accepted in an address, a cookie or another header, and is never logged or answered', async () => {
    const { app, root } = await buildPeopledApp()
    const program = await app.newApiToken(root, 'write')
    const random = program.token.slice(4, 47)
    const readMe = (headers: Record<string, string>) => app.anonymous.get('/users/me', { headers })
    const answers = [
      await app.anonymous.get(`/users/me?access_token=${program.token}&token=${program.token}`),
      await program.get(`/users/${program.token}`),
      await program.get(`/${program.token}`),
      await program.get(`/users/?q=${program.token}`),
      await program.post('/users/invite', { email: 1, [program.token]: program.token }),
      await program.post('/logout'),
      await readMe({ cookie: `access_token=${program.token}`, 'x-api-key': program.token }),
      await readMe({ authorization: `Basic ${btoa(`${root.email}:${program.token}`)}` }),
      await readMe({ authorization: `token ${program.token}` }),
      await app.as(`${program.token}0`).get('/users/me'),
      await app.tryLogIn(root.email, program.token),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 422, 404, 200, 422, 403, 401, 401, 401, 401, 400])
    for (const { body, headers } of answers) expect(body + JSON.stringify(headers)).not.toContain(random)
    expect(app.log.text()).not.toContain(random)
    expect(JSON.stringify(await auditOf(app))).not.toContain(random)
  })
})

describe('an API token of a superuser', () => {
  async function setUp() {
    const { app, root, ada } = await buildPeopledApp()
    const boss = await app.newUser({ is_superuser: true })
    const program = await app.newApiToken(root, 'write')
    return { app, root, boss, ada, program }
  }

  test('lets no superuser in again, alone or among others', async () => {
    const { app, root, boss, ada, program } = await setUp()
    await program.post('/users/bulk', { action: 'deactivate', ids: [boss.id, ada.id] })
    expect(statusAndBody(await program.patch(`/users/${boss.id}`, { is_active: true }))).toEqual(notForTokens)
    const result = await program.post('/users/bulk', { action: 'activate', ids: [boss.id, ada.id] })
    const refused = [{ id: boss.id, detail: 'Tokens cannot do this' }]
    expect(statusAndBody(result)).toEqual([200, { changed: 1, unchanged: 0, refused, changed_ids: [ada.id] }])
    expect(await app.logIn(boss.email, boss.password)).toBeUndefined()
    expect((await root.get('/users/me')).statusCode).toBe(200)
  })

  test('does not renew an invitation of a superuser, and renews others', async () => {
    const { root, program } = await setUp()
    const invite = async (is_superuser: boolean) => {
      const json = { email: `${is_superuser}@example.com`, is_superuser }
      const answer = await root.post('/users/invite', json)
      return answer.json<{ user: { id: string } }>().user.id
    }
    const [one, two] = [await invite(true), await invite(false)]
    expect(statusAndBody(await program.post(`/users/${one}/invite`))).toEqual(notForTokens)
    expect((await program.post(`/users/${two}/invite`)).statusCode).toBe(200)
    expect((await program.post('/users/invite', { email: 'a@example.com', is_superuser: false })).statusCode).toBe(200)
  })

  test('is refused whatever it says of a role, password or address', async () => {
    const { app, ada, program } = await setUp()
    const before = await app.store.db.selectFrom('users').selectAll().where('id', '=', ada.id).execute()
    const bodies = [
      { is_superuser: false },
      { is_superuser: true, is_active: true },
      { email: ada.email },
      { password: 'a new password', full_name: 'Ada' },
      JSON.parse('{"full_name": "Ada", "__proto__": {"x": 1}, "is_superuser": true}') as object,
    ]
    for (const json of bodies)
      expect([json, statusAndBody(await program.patch(`/users/${ada.id}`, json))]).toEqual([json, notForTokens])
    for (const [rows, status] of [
      [[{ email: 'a@example.com', is_superuser: true }], 403],
      [[{ email: 'a@example.com' }, { email: 'no', is_superuser: true }], 403],
      [[{ email: 'a@example.com', is_superuser: 'true' }], 422],
      [[{ email: 'a@example.com', is_superuser: false }], 200],
    ] as const)
      for (const dry_run of [true, false]) {
        const answer = await program.post('/users/import', { rows, dry_run })
        expect([rows, dry_run, answer.statusCode]).toEqual([rows, dry_run, status])
      }
    expect(await app.store.db.selectFrom('users').selectAll().where('id', '=', ada.id).execute()).toEqual(before)
  })
})

describe('the end of an API token', () => {
  async function watch(app: TestApp, token: string) {
    const stream = await watchEvents(await app.listen(), token)
    onTestFinished(stream.leave)
    await expect.poll(() => stream.text).toContain('event: hello')
    return stream
  }

  test.each(['ended', 'demoted', 'deactivated', 'expired'] as const)('closes its streams: %s', async (how) => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { app, root } = await buildPeopledApp()
    const boss = await app.newUser({ is_superuser: true })
    const [one, other] = [await app.newApiToken(boss, 'read'), await app.newApiToken(root, 'read')]
    const [stream, kept] = [await watch(app, one.token), await watch(app, other.token)]
    const patch = (json: object) => root.patch(`/users/${boss.id}`, json)
    if (how === 'ended') await boss.delete(`/users/me/tokens/${one.id}`)
    else if (how === 'demoted') await patch({ is_superuser: false })
    else if (how === 'deactivated') await patch({ is_active: false })
    else {
      await app.store.db.updateTable('api_tokens').set({ expires_at: 1 }).where('id', '=', one.id).execute()
      vi.advanceTimersByTime(15_000)
    }
    await expect.poll(() => stream.hasEnded).toBe(true)
    expect(kept.hasEnded).toBe(false)
  })

  test.each(anyResource)(
    'is a point in time: what it changed was before, also with requests at once to two servers',
    async ({ table, least }) => {
      const { servers, one, ada } = await buildPeopledServers()
      const program = await one.newApiToken(ada, 'write')
      const ended = sleep(5).then(() => ada.delete(`/users/me/tokens/${program.id}`))
      const responses = await allAtOnce(servers, (server, index) =>
        sleep(index / 4).then(() => server.as(program).post(`/${table}/`, least)),
      )
      expect((await ended).statusCode).toBe(200)
      const { 200: made = 0, 401: refused = 0 } = tally(responses)
      expect(made + refused).toBe(responses.length)
      const list = await ada.get(`/${table}/`)
      expect(list.json<{ count: number }>().count).toBe(made)
      expect((await program.get(`/${table}/`)).statusCode).toBe(401)
      await expectConsistentCounts(one)
    },
  )
})

test('a thousand requests of one token at once delay nobody else, and 600 are answered', async () => {
  const { app, root } = await buildPeopledApp()
  const boss = await app.newUser({ is_superuser: true })
  const [one, other] = [await app.newApiToken(root, 'read'), await app.newApiToken(boss, 'read')]
  const flood = Promise.all(Array.from({ length: 1_000 }, () => one.get('/users/')))
  const [person, program] = await Promise.all([boss.get('/users/'), other.get('/users/')])
  // An account may only have a few list requests waiting, and gets 503 for more.
  const { 200: answered = 0, 429: refused = 0, 503: busy = 0 } = tally(await flood)
  expect([person.statusCode, program.statusCode, answered + busy, refused]).toEqual([200, 200, 600, 400])
})

test('every operation says that it may refuse a token', () => {
  const statuses = ({ schema }: Operation) => Object.keys(schema.response as object)
  const secured = operations.filter(({ security }) => security)
  const forTokens = operations.filter((operation) => operation.forTokens)
  expect(secured.filter((operation) => !statuses(operation).includes('403'))).toEqual([])
  expect(forTokens.filter((operation) => !statuses(operation).includes('429'))).toEqual([])
})
