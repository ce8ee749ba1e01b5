import { change } from './change.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { SessionPublic, SessionsPublic } from '../contract/types.gen.ts'
import { sessionJobs } from './jobs.ts'
import { beginSession } from './rules.ts'
import { statusAndBody, buildTestApp, nobody, type Person, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { addInBatches } from '../test/many-users.ts'
import { auditOf } from '../test/audit-entries.ts'
import { allAtOnce, buildServers, tally } from '../test/two-servers.ts'

const minute = 60_000
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function sessionsOf({ as }: TestApp, token: string, url = '/users/me/sessions'): Promise<SessionPublic[]> {
  const { data, count } = (await as(token).get(url)).json<SessionsPublic>()
  expect(count).toBe(data.length)
  return data
}

async function enter({ tryLogIn }: TestApp, { email, password }: Person, agent: string, ip = '192.0.2.1') {
  const response = await tryLogIn(email, password, { ip, headers: { 'user-agent': agent } })
  return response.json<{ access_token: string }>().access_token
}

describe('the own sessions', () => {
  test('are listed up to 100, and all are counted', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const device = { ip: '192.0.2.1', userAgent: firefox }
    for (let number = 0; number < 100; number += 1)
      await change(app.context, device, {}, (act) => beginSession(act, { userId: ada.id, method: 'password' }, device))
    const { data, count } = (await ada.get('/users/me/sessions')).json<SessionsPublic>()
    expect([data.length, count]).toEqual([100, 101])
  })

  test('are listed with browser and address, last used first', async () => {
    const { app, clock, ada } = await buildTestAppWith({ ada: {} })
    clock.advance(minute)
    const second = await enter(app, ada, firefox, '2001:db8::1')
    const [newest, oldest] = await sessionsOf(app, second)
    expect(newest).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      created_at: '2026-01-01T00:01:00.000Z',
      last_used_at: '2026-01-01T00:01:00.000Z',
      user_agent: firefox,
      address: '2001:db8::1',
      current: true,
    })
    expect(oldest).toMatchObject({ last_used_at: '2026-01-01T00:00:00.000Z', current: false })

    // Browser and address are updated at most once a minute.
    clock.advance(minute)
    await ada.get('/users/me', { ip: '192.0.2.9', headers: { 'user-agent': 'New' } })
    await ada.get('/users/me', { ip: '192.0.2.10', headers: { 'user-agent': 'Newer' } })
    expect((await sessionsOf(app, second)).map((one) => [one.user_agent, one.address, one.current])).toEqual([
      ['New', '192.0.2.9', false],
      ['lightMyRequest', '127.0.0.1', true],
    ])
  })

  test('may have neither browser nor address; ties are ordered by id', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    await enter(app, ada, firefox)
    await app.store.db.updateTable('sessions').set({ user_agent: null, address: null }).execute()
    const listed = await sessionsOf(app, ada.token)
    expect(listed.map((one) => [one.user_agent, one.address])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted())
  })

  test('keep the first 512 characters of any browser name unchanged', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    for (const agent of [
      '<script>alert(1)</script>',
      "'; drop table sessions; --",
      '\u00ff\u0085\t',
      'x'.repeat(2000),
    ]) {
      const [newest] = await sessionsOf(app, await enter(app, ada, agent)).then((all) => all.filter((s) => s.current))
      expect(newest?.user_agent).toBe(agent.slice(0, 512))
    }
  })

  test('exclude expired sessions and those of other users', async () => {
    const { app, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    app.clock.advance(23 * 60 * minute)
    const token = await enter(app, ada, firefox)
    app.clock.advance(2 * 60 * minute)
    expect(await sessionsOf(app, token)).toMatchObject([{ current: true }])
    expect((await ben.get('/users/me')).statusCode).toBe(401)
  })

  test('can be ended one by one, except the current one', async () => {
    const { app, as, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    const other = await enter(app, ada, firefox)
    const end = async (id: string | undefined, token: string) =>
      statusAndBody(await as(token).delete(`/users/me/sessions/${id}`))
    const all = await sessionsOf(app, ada.token)
    const mine = all.find(({ current }) => current)?.id
    const others = all.find(({ current }) => !current)?.id
    expect(await end(mine, ada.token)).toEqual([409, { detail: 'Use log-out to end this session' }])
    expect(await end(mine?.toUpperCase(), ada.token)).toEqual([409, { detail: 'Use log-out to end this session' }])
    for (const id of [mine, others, nobody])
      expect(await end(id, ben.token)).toEqual([404, { detail: 'Session not found' }])
    expect((await as(other).get('/users/me')).statusCode).toBe(200)
    expect((await end(others, ada.token))[0]).toBe(200)
    expect((await as(other).get('/users/me')).statusCode).toBe(401)
    expect(await end(others, ada.token)).toEqual([404, { detail: 'Session not found' }])
    const ended = (await auditOf(app)).filter(({ action }) => action !== 'log-in')
    expect(ended).toMatchObject([{ action: 'session-end', actor_id: ada.id, subject_id: ada.id }])
  })

  test('can all be ended except the current one, and those of other users', async () => {
    const { app, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    for (let i = 0; i < 3; i += 1) await enter(app, ada, firefox)
    for (let i = 0; i < 2; i += 1) expect((await ada.post('/users/me/sessions/end-others')).statusCode).toBe(200)
    expect(await sessionsOf(app, ada.token)).toMatchObject([{ current: true }])
    expect(await sessionsOf(app, ben.token)).toHaveLength(1)
    // The second request ended no sessions.
    const ended = (await auditOf(app)).filter(({ action }) => action !== 'log-in')
    expect(ended).toMatchObject([{ action: 'sessions-end', actor_id: ada.id, subject_id: ada.id }])
  })

  test('cannot be used with their ids', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const [{ id } = { id: '' }] = await sessionsOf(app, ada.token)
    expect(ada.token).not.toContain(id)
    const { token_hash } = await app.store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    for (const token of [id, token_hash]) expect((await app.as(token).get('/users/me')).statusCode).toBe(401)
    const body = (await ada.get('/users/me/sessions')).body
    for (const secret of [ada.token, token_hash]) expect(body).not.toContain(secret)
  })

  test('that end each other concurrently leave one', async () => {
    const [one, two] = await buildServers()
    for (let round = 0; round < 10; round += 1) {
      const ada = await one.newUser()
      const token = await one.logIn(ada.email, ada.password)
      const [mine, other] = [await sessionsOf(one, ada.token), await sessionsOf(one, token)].map(
        (all) => all.find(({ current }) => current)?.id,
      )
      const responses = await Promise.all([
        one.as(ada).delete(`/users/me/sessions/${other}`),
        two.as(token).delete(`/users/me/sessions/${mine}`),
      ])
      expect(tally(responses)).toEqual({ 200: 1, 401: 1 })
    }
  })

  test('are ended once by concurrent requests', async () => {
    const servers = await buildServers()
    const [one] = servers
    const ada = await one.newUser()
    await one.logIn(ada.email, ada.password)
    const id = (await sessionsOf(one, ada.token)).find(({ current }) => !current)?.id
    const responses = await allAtOnce(servers, (server) => server.as(ada).delete(`/users/me/sessions/${id}`))
    expect(tally(responses)).toEqual({ 200: 1, 404: responses.length - 1 })
  })
})

describe('a superuser', () => {
  test('can list and end any user’s sessions', async () => {
    const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
    await enter(app, ada, firefox)
    const listed = await sessionsOf(app, root.token, `/users/${ada.id}/sessions`)
    expect(listed.map(({ user_agent, current }) => [user_agent, current])).toContainEqual([firefox, false])
    expect(listed).toHaveLength(2)
    expect((await root.post(`/users/${ada.id}/sessions/end`)).statusCode).toBe(200)
    expect((await ada.get('/users/me')).statusCode).toBe(401)
    expect(await sessionsOf(app, root.token, `/users/${ada.id}/sessions`)).toEqual([])
    const ended = (await auditOf(app)).filter(({ action }) => action !== 'log-in')
    expect(ended).toMatchObject([{ action: 'sessions-end', actor_id: root.id, subject_id: ada.id }])
  })

  test('can end their own sessions, including the current one', async () => {
    const { app, root } = await buildTestAppWith({ root: { is_superuser: true } })
    expect(await sessionsOf(app, root.token, `/users/${root.id}/sessions`)).toMatchObject([{ current: true }])
    const url = `/users/${root.id}/sessions/end`
    expect((await root.post(url)).statusCode).toBe(200)
    expect((await root.post(url)).statusCode).toBe(401)
  })

  test('who is demoted concurrently ends no sessions', async () => {
    const [one, two] = await buildServers()
    for (let round = 0; round < 10; round += 1) {
      const root = await one.newUser({ is_superuser: true })
      const mallory = await one.newUser({ is_superuser: true })
      const [ended, demoted] = await Promise.all([
        one.as(mallory).post(`/users/${root.id}/sessions/end`),
        two.as(root).patch(`/users/${mallory.id}`, { is_superuser: false }),
      ])
      expect([
        [200, 401],
        [401, 200],
      ]).toContainEqual([ended.statusCode, demoted.statusCode])
    }
  })
})

/** All sessions belong to one account. */
async function addExpiredSessions({ newUser, store, clock }: TestApp, count: number): Promise<void> {
  const { id: user_id } = await newUser()
  const created_at = clock.now() - 8 * 24 * 3_600_000
  const used = { last_used_at: created_at, authenticated_at: created_at, authenticated_by: 'password' as const }
  const make = () => ({ id: randomUUID(), token_hash: randomUUID(), user_id, created_at, ...used })
  await addInBatches(count, make, (rows) => store.db.insertInto('sessions').values(rows).execute())
}

test('the deletion of expired sessions ends with the batch in which the server begins to stop', async () => {
  const testApp = await buildTestApp()
  const { store, context } = testApp
  await addExpiredSessions(testApp, 300)
  const stopping = new AbortController()
  vi.spyOn(store, 'read').mockImplementation(async (work) => {
    const found = await work(store.db)
    setImmediate(() => stopping.abort())
    return found
  })
  for (const job of sessionJobs) await job.run(context, stopping.signal)
  expect(await store.db.selectFrom('sessions').select('id').execute()).toHaveLength(201)
})

test('all expired sessions are deleted in one run', async () => {
  const testApp = await buildTestApp()
  const { store, clock, housekeeping } = testApp
  await addExpiredSessions(testApp, 6_000)
  await housekeeping.runAll()
  expect(await store.db.selectFrom('sessions').select('created_at').execute()).toEqual([{ created_at: clock.now() }])
})
