import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { watchEvents } from '../../tests/support/watch-events.ts'
import type { UserPublic } from '../contract/types.gen.ts'
import { buildTestApp, type Person, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { addUsers } from '../test/many-users.ts'
import { buildServers } from '../test/two-servers.ts'
import type { SessionActor } from '../users/access.ts'
import { findUser, readUserVersions } from '../users/queries.ts'
import { createStreams, type Sources } from './streams.ts'

const openStream = async ({ app }: TestApp, { token }: Pick<Person, 'token'>) => {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const stream = await watchEvents(`http://127.0.0.1:${port}`, token)
  onTestFinished(stream.leave)
  await expect.poll(() => stream.text).toMatch(/^event: hello\ndata: {}\n\n/)
  return stream
}

/** Makes all changes older. */
const age = async ({ store }: TestApp, ms: number) =>
  store.db
    .updateTable('changes')
    .set(({ eb }) => ({ at: eb('at', '-', ms) }))
    .execute()

/** Opens `GET /events` a minute after the last change, so that it sends no old hints. */
async function watch(app: TestApp, person: Pick<Person, 'token'>) {
  await age(app, 60_000)
  return openStream(app, person)
}

/** Changes the account of a person. */
const rename = async ({ as }: Pick<TestApp, 'as'>, person: Person) =>
  (await as(person).patch('/users/me', { full_name: randomUUID() })).json<UserPublic>()

const until = { timeout: 5_000 }

test('a stream tells of created, changed and deleted rows, with the versions of their states', async () => {
  const { app, root, ben } = await buildTestAppWith({ root: { is_superuser: true }, ben: {} })
  const [stream, other] = [await watch(app, root), await watch(app, ben)]
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.response.headers.get('cache-control')).toBe('no-store')
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
  const created = await root.post('/users/', { email: 'ada@example.com', password: 'long enough' })
  const { id, version: first } = created.json<UserPublic>()
  const hint = (version: string | null | undefined) => ({ resource: 'users', id, version })
  await expect.poll(() => stream.hints).toEqual([hint(first)])
  const changed = await root.patch(`/users/${id}`, { full_name: 'New' })
  await expect.poll(() => stream.hints.slice(1)).toEqual([hint(changed.json<UserPublic>().version)])
  await root.delete(`/users/${id}`)
  await expect.poll(() => stream.hints.slice(2)).toEqual([hint(null)])
  expect(stream.text).not.toContain('New')
  expect(other.hints).toEqual([])
})

test('superusers learn of all accounts, others of themselves', async () => {
  const { app, root, ada, ben } = await buildTestAppWith({ root: { is_superuser: true }, ada: {}, ben: {} })
  const [all, own] = [await watch(app, root), await watch(app, ada)]
  const { version } = await rename(app, ada)
  await root.patch(`/users/${ben.id}`, { full_name: 'Ben' })
  await expect.poll(() => all.hints.map(({ id }) => id).toSorted()).toEqual([ada.id, ben.id].toSorted())
  await expect.poll(() => own.hints).toEqual([{ resource: 'users', id: ada.id, version }])
})

test('a stream first tells of the changes of the last 20 seconds, one hint for each row', async () => {
  const app = await buildTestApp()
  const [root, ada, ben] = [await app.newUser({ is_superuser: true }), await app.newUser(), await app.newUser()]
  const cleo = await app.newUser()
  await rename(app, ben)
  await age(app, 20_000)
  const gone = await app.newUser()
  await rename(app, ada)
  const { version } = await rename(app, ada)
  await root.delete(`/users/${gone.id}`)
  // A log-out changes no row of a list, so it causes no hint.
  await ben.post('/logout')
  await age(app, 15_000)
  const own = { resource: 'users', id: ada.id, version }
  const all = [own, { resource: 'users', id: gone.id, version: null }]
  for (const [person, hints] of [[ada, [own]] as const, [root, all] as const]) {
    const stream = await openStream(app, person)
    await expect.poll(() => stream.hints.length).toBe(hints.length)
    expect(stream.hints).toEqual(expect.arrayContaining([...hints]))
  }
  expect((await openStream(app, cleo)).hints).toEqual([])
})

test('a stream tells of 200 of many changes, which a client can take at once', async () => {
  const { app, store, ada } = await buildTestAppWith({ ada: {} })
  const changes = Array.from({ length: 600 }, () => ({ resource: 'users', row_id: randomUUID(), owner_id: ada.id }))
  await store.db.insertInto('changes').values(changes).execute()
  const stream = await openStream(app, ada)
  await expect.poll(() => stream.hints.length).toBe(200)
})

test('activity, log-ins and locks are not reported', async () => {
  const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
  const stream = await watch(app, root)
  app.clock.advance(120_000)
  await root.get('/users/')
  await app.logIn(root.email, root.password)
  await root.patch(`/users/${ada.id}`, { full_name: 'Last' })
  await expect.poll(() => stream.hints.map(({ id }) => id)).toEqual([ada.id])
})

test('a change of many rows gives one hint for each, and a row that changed twice one', async () => {
  const { app, root } = await buildTestAppWith({ root: { is_superuser: true } })
  const people = await Promise.all(Array.from({ length: 30 }, () => app.newUser()))
  const ids = people.map(({ id }) => id)
  const stream = await watch(app, root)
  await root.post('/users/bulk', { action: 'delete', ids })
  await expect.poll(() => stream.hints.length).toBe(30)
  expect(stream.hints.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(stream.hints.every(({ version }) => version === null)).toBe(true)
})

test('an update that changes nothing is not reported', async () => {
  const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: { full_name: 'Ada' } })
  const overview = async () => (await root.get('/users/me/overview')).json<object>()
  const before = await overview()
  const stream = await watch(app, root)
  app.clock.advance(1_000)
  const json = { full_name: 'Ada', email: ada.email }
  expect((await ada.patch('/users/me', json)).statusCode).toBe(200)
  expect((await root.patch(`/users/${ada.id}`, json)).statusCode).toBe(200)
  expect(await overview()).toEqual(before)
  await rename(app, root)
  await expect.poll(() => stream.hints.map((hint) => hint.id)).toEqual([root.id])
})

test('servers that share a database tell each other', async () => {
  const [one, two] = await buildServers()
  const ada = await one.newUser()
  const stream = await watch(one, ada)
  await rename(two, ada)
  await expect.poll(() => stream.hints.map((hint) => hint.id), { timeout: 3_000 }).toEqual([ada.id])
})

test('a transaction that commits later than a newer one is not missed', async () => {
  const [one, two] = await buildServers()
  const [root, older, newer] = [await one.newUser({ is_superuser: true }), await one.newUser(), await one.newUser()]
  const stream = await watch(one, root)
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const open = one.store.transaction(async (tx) => {
    await tx.updateTable('users').set({ full_name: 'Changed' }).where('id', '=', older.id).execute()
    begun.resolve()
    await goOn.promise
  })
  await begun.promise
  // SQLite runs this change after the first one, PostgreSQL at the same time.
  const second = rename(two, newer)
  await Promise.race([second, sleep(300)])
  goOn.resolve()
  await Promise.all([open, second])
  await expect
    .poll(() => stream.hints.map(({ id }) => id), { timeout: 3_000 })
    .toEqual(expect.arrayContaining([older.id, newer.id]))
})

describe('a stream ends', () => {
  test('at the log-out of its session, not of another one', async () => {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const other = { token: await app.logIn(ada.email, ada.password) }
    const [ended, stays] = [await watch(app, ada), await watch(app, other)]
    await ada.post('/logout')
    await expect.poll(() => ended.hasEnded, until).toBe(true)
    expect(stays.hasEnded).toBe(false)
  })

  test('when its account is deactivated, deleted or gets another role', async () => {
    const { app, root } = await buildTestAppWith({ root: { is_superuser: true } })
    const changes: Record<string, [unknown, 'PATCH' | 'DELETE']> = {
      deactivated: [{ is_active: false }, 'PATCH'],
      promoted: [{ is_superuser: true }, 'PATCH'],
      deleted: [undefined, 'DELETE'],
    }
    for (const [json, method] of Object.values(changes)) {
      const person = await app.newUser()
      const stream = await watch(app, person)
      await root.send(method, `/users/${person.id}`, json)
      await expect.poll(() => stream.hasEnded, until).toBe(true)
    }
  })

  test('when its session expires, which is checked with each comment', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const app = await buildTestApp()
    const stream = await watch(app, await app.newUser())
    vi.advanceTimersByTime(15_000)
    await expect.poll(() => stream.text).toContain('\n:\n\n')
    expect(stream.hasEnded).toBe(false)
    app.clock.advance(8 * 24 * 3_600_000)
    vi.advanceTimersByTime(15_000)
    await expect.poll(() => stream.hasEnded, until).toBe(true)
  })

  test('with the server', async () => {
    const app = await buildTestApp()
    const stream = await watch(app, await app.newUser())
    await app.app.close()
    await expect.poll(() => stream.hasEnded, until).toBe(true)
  })
})

test('an account has four streams: a fifth ends the oldest', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  const streams: Awaited<ReturnType<typeof watch>>[] = []
  for (let number = 1; number <= 5; number += 1) streams.push(await watch(app, ada))
  await expect.poll(() => streams[0]?.hasEnded, until).toBe(true)
  await rename(app, ada)
  for (const stream of streams.slice(1)) await expect.poll(() => stream.hints.map(({ id }) => id)).toEqual([ada.id])
})

describe('the number of streams and what they hold is bounded', () => {
  async function createOwnStreams(others = 0, readVersions: Sources[string] = readUserVersions) {
    const { app, ada } = await buildTestAppWith({ ada: { is_superuser: true } })
    await addUsers(app, others)
    await age(app, 60_000)
    const { context, store } = app
    const streams = createStreams(context, { users: readVersions }, app.app.log)
    onTestFinished(() => streams.close())
    const session = await store.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
    const user = await findUser(store.db, ada.id)
    if (!user) throw new Error('There is no user')
    const actor = (id = user.id): SessionActor => ({
      sessionId: session.id,
      authenticatedAt: 0,
      ip: '127.0.0.1',
      user: { ...user, id },
    })
    const renameAll = async () =>
      store.transaction(async (tx) => tx.updateTable('users').set({ full_name: randomUUID() }).execute())
    return { ...app, ada, streams, actor, renameAll }
  }

  test('a server has 1,000; more are refused, but an account may replace its own', async () => {
    const { streams, actor } = await createOwnStreams()
    for (let number = 0; number < 996; number += 1) await streams.open(actor(randomUUID()))
    const own = []
    for (let number = 0; number < 4; number += 1) own.push(await streams.open(actor()))
    expect(streams.load().open).toBe(1_000)
    await expect(streams.open(actor(randomUUID()))).rejects.toThrow('The server is busy, please try again')
    own.push(await streams.open(actor()))
    expect(streams.load().open).toBe(1_000)
  })

  test('an account that opens many at once has four, which work, and the last one to leave ends the watch', async () => {
    const { streams, actor, ada, renameAll, store } = await createOwnStreams()
    const outputs = await Promise.all(Array.from({ length: 20 }, () => streams.open(actor())))
    expect(streams.load().open).toBe(4)
    const texts = outputs.map(() => '')
    for (const [index, output] of outputs.entries())
      output.on('data', (chunk: Buffer) => (texts[index] += chunk.toString()))
    await renameAll()
    await expect.poll(() => texts.filter((text) => text.includes(ada.id)).length).toBe(4)
    const watched = vi.spyOn(store, 'watch')
    for (const output of outputs) output.destroy()
    await expect.poll(() => streams.load().open).toBe(0)
    await streams.open(actor())
    expect(watched).toHaveBeenCalledTimes(1)
  })

  test('a stream that failed to open leaves nothing, and none is opened after the stop', async () => {
    const { streams, actor, store } = await createOwnStreams()
    const watched = vi.spyOn(store, 'watch').mockImplementationOnce(() => {
      throw new Error('No database')
    })
    await expect(streams.open(actor())).rejects.toThrow('No database')
    expect(streams.load().open).toBe(0)
    const begun = streams.open(actor())
    await streams.close()
    expect((await begun).read()).toBeNull()
    await expect(streams.open(actor())).rejects.toThrow('The server is stopping')
    expect(watched).toHaveBeenCalledTimes(1)
  })

  test('a client that reads gets all hints of a change of many rows', async () => {
    const { streams, actor, renameAll } = await createOwnStreams(3_000)
    const output = await streams.open(actor())
    let hints = 0
    async function read(): Promise<void> {
      for await (const chunk of output) {
        hints += String(chunk).split('event: change').length - 1
        for (let turn = 0; turn < 5; turn += 1) await setImmediate()
      }
    }
    const reading = read()
    await renameAll()
    await expect.poll(() => hints, until).toBeGreaterThanOrEqual(3_001)
    await streams.close()
    await reading
  })

  test('what keeps changes from being read is in the log once, and its end', async () => {
    const read = vi.fn<Sources[string]>().mockRejectedValue(new Error('No database'))
    const { streams, actor, renameAll, log } = await createOwnStreams(0, read)
    const output = await streams.open(actor())
    for (let times = 1; times <= 3; times += 1) {
      await renameAll()
      await expect.poll(() => read.mock.calls.length, until).toBeGreaterThanOrEqual(times)
    }
    read.mockResolvedValue(new Map())
    await renameAll()
    await expect.poll(() => log.text(), until).toContain('events available again')
    expect(log.text().split('events unavailable')).toHaveLength(2)
    output.destroy()
  })

  test('a client that does not read is disconnected', async () => {
    const { streams, actor, renameAll } = await createOwnStreams(49)
    const [unread, read] = [await streams.open(actor()), await streams.open(actor())]
    let text = ''
    read.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const hints = () => text.split('event: change').length - 1
    let count = 0
    while (!unread.destroyed) {
      await renameAll()
      count += 50
      await expect.poll(hints).toBe(count)
    }
    expect(text.length).toBeGreaterThan(64 * 1024)
    expect(text.length).toBeLessThan(80 * 1024)
    expect(streams.load().open).toBe(1)
  })
})

test('a request for the headers opens no stream, and one without a session is refused', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  const headers = { authorization: `Bearer ${ada.token}` }
  expect((await app.app.inject({ method: 'HEAD', url: '/api/v1/events', headers })).statusCode).toBe(200)
  expect((await app.anonymous.get('/events')).statusCode).toBe(401)
})
