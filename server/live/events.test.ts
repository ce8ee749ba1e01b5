import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Hint, watchEvents } from '../../tests/support/watch-events.ts'
import { itemsTable } from '../items/queries.ts'
import { buildTestApp, type Person, type TestApp } from '../test/build-test-app.ts'
import { buildServers } from '../test/two-servers.ts'
import type { SessionActor } from '../users/access.ts'
import { findUser } from '../users/queries.ts'
import { createStreams, type Sources } from './streams.ts'

interface Row {
  version: string
}

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

const until = { timeout: 5_000 }

test('a stream tells its account of created, changed and deleted items, with the versions of their states', async () => {
  const app = await buildTestApp()
  const [ada, ben] = [await app.newUser(), await app.newUser()]
  const stream = await watch(app, ada)
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.response.headers.get('cache-control')).toBe('no-store')
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
  await app.newItem(ben)
  const id = await app.newItem(ada)
  const hint = (version: string | null) => ({ resource: 'items', id, version })
  const read = await ada.get(`/items/${id}`)
  await expect.poll(() => stream.hints).toEqual([hint(read.json<Row>().version)])
  const changed = await ada.put(`/items/${id}`, { title: 'New' })
  await expect.poll(() => stream.hints.slice(1)).toEqual([hint(changed.json<Row>().version)])
  await ada.delete(`/items/${id}`)
  await expect.poll(() => stream.hints.slice(2)).toEqual([hint(null)])
  expect(stream.text).not.toContain('New')
})

test('superusers learn of all items and accounts, others of themselves', async () => {
  const app = await buildTestApp()
  const [root, ada, ben] = [await app.newUser({ is_superuser: true }), await app.newUser(), await app.newUser()]
  const [all, own] = [await watch(app, root), await watch(app, ada)]
  const json = { full_name: 'Ada' }
  const { version } = (await ada.patch('/users/me', json)).json<Row>()
  await root.patch(`/users/${ben.id}`, json)
  const item = await app.newItem(ben)
  const users = (hints: Hint[]) => hints.filter(({ resource }) => resource === 'users').map(({ id }) => id)
  await expect.poll(() => users(all.hints).toSorted()).toEqual([ada.id, ben.id].toSorted())
  await expect.poll(() => all.hints.map(({ id }) => id)).toContain(item)
  await expect.poll(() => own.hints).toEqual([{ resource: 'users', id: ada.id, version }])
})

test('a stream first tells of the changes of the last 20 seconds, one hint for each row', async () => {
  const app = await buildTestApp()
  const [root, ada, ben] = [await app.newUser({ is_superuser: true }), await app.newUser(), await app.newUser()]
  const cleo = await app.newUser()
  await app.newItem(ada, 'Older')
  await age(app, 20_000)
  const [changed, gone] = [await app.newItem(ada, 'Changed'), await app.newItem(ada, 'Gone')]
  const json = { title: 'Twice' }
  const { version } = (await ada.put(`/items/${changed}`, json)).json<Row>()
  await ada.delete(`/items/${gone}`)
  // A log-out changes no row of a list, so it causes no hint.
  await ben.post('/logout')
  await age(app, 15_000)
  const hints = [
    { resource: 'items', id: changed, version },
    { resource: 'items', id: gone, version: null },
  ]
  for (const person of [ada, root]) {
    const stream = await openStream(app, person)
    await expect.poll(() => stream.hints.length).toBe(2)
    expect(stream.hints).toEqual(expect.arrayContaining(hints))
  }
  expect((await openStream(app, cleo)).hints).toEqual([])
})

test('a stream tells of 200 of many changes, which a client can take at once', async () => {
  const app = await buildTestApp()
  const { store } = app
  const ada = await app.newUser()
  const changes = Array.from({ length: 600 }, () => ({
    resource: 'items',
    row_id: randomUUID(),
    owner_id: ada.id,
  }))
  await store.db.insertInto('changes').values(changes).execute()
  const stream = await openStream(app, ada)
  await expect.poll(() => stream.hints.length).toBe(200)
})

test('activity, log-ins and locks are not reported', async () => {
  const app = await buildTestApp()
  const root = await app.newUser({ is_superuser: true })
  const stream = await watch(app, root)
  app.clock.advance(120_000)
  await root.get('/items/')
  await app.logIn(root.email, root.password)
  await app.newItem(root, 'Last')
  await expect.poll(() => stream.hints.map(({ resource }) => resource)).toEqual(['items'])
})

test('a change of many rows gives one hint for each, and a row that changed twice one', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser()
  const ids = await Promise.all(Array.from({ length: 30 }, () => app.newItem(ada)))
  const stream = await watch(app, ada)
  await ada.post('/items/bulk', { action: 'delete', ids })
  await expect.poll(() => stream.hints.length).toBe(30)
  expect(stream.hints.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(stream.hints.every(({ version }) => version === null)).toBe(true)
})

test('an update that changes nothing is not reported', async () => {
  const app = await buildTestApp()
  const ada = await app.newUser({ full_name: 'Ada' })
  const id = await app.newItem(ada, 'One')
  const overview = async () => (await ada.get('/users/me/overview')).json<object>()
  const before = await overview()
  const stream = await watch(app, ada)
  app.clock.advance(1_000)
  const put = (title: string) => ada.put(`/items/${id}`, { title })
  expect((await put('One')).statusCode).toBe(200)
  const json = { full_name: 'Ada', email: ada.email }
  expect((await ada.patch('/users/me', json)).statusCode).toBe(200)
  expect(await overview()).toEqual(before)
  await put('Two')
  await expect.poll(() => stream.hints.map((hint) => hint.id)).toEqual([id])
})

test('servers that share a database tell each other', async () => {
  const [one, two] = await buildServers()
  const ada = await one.newUser()
  const stream = await watch(one, ada)
  const id = await two.newItem(ada)
  await expect.poll(() => stream.hints.map((hint) => hint.id), { timeout: 3_000 }).toEqual([id])
})

test('a transaction that commits later than a newer one is not missed', async () => {
  const [one, two] = await buildServers()
  const ada = await one.newUser()
  const stream = await watch(one, ada)
  const [older, newer] = await Promise.all([one.newItem(ada, 'Older'), one.newItem(ada, 'Newer')])
  await expect.poll(() => stream.hints.length).toBe(2)
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const open = one.store.transaction(async (tx) => {
    await tx.updateTable('items').set({ title: 'Changed' }).where('id', '=', older).execute()
    begun.resolve()
    await goOn.promise
  })
  await begun.promise
  // SQLite runs this change after the first one, PostgreSQL at the same time.
  const json = { title: 'Newest' }
  const second = two.as(ada).put(`/items/${newer}`, json)
  await Promise.race([second, sleep(300)])
  goOn.resolve()
  await Promise.all([open, second])
  await expect
    .poll(() => stream.hints.slice(2).map(({ id }) => id), { timeout: 3_000 })
    .toEqual(expect.arrayContaining([older, newer]))
})

describe('a stream ends', () => {
  test('at the log-out of its session, not of another one', async () => {
    const app = await buildTestApp()
    const ada = await app.newUser()
    const other = { token: await app.logIn(ada.email, ada.password) }
    const [ended, stays] = [await watch(app, ada), await watch(app, other)]
    await ada.post('/logout')
    await expect.poll(() => ended.hasEnded, until).toBe(true)
    expect(stays.hasEnded).toBe(false)
  })

  test('when its account is deactivated, deleted or gets another role', async () => {
    const app = await buildTestApp()
    const root = await app.newUser({ is_superuser: true })
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
  const app = await buildTestApp()
  const ada = await app.newUser()
  const streams: Awaited<ReturnType<typeof watch>>[] = []
  for (let number = 1; number <= 5; number += 1) streams.push(await watch(app, ada))
  await expect.poll(() => streams[0]?.hasEnded, until).toBe(true)
  const id = await app.newItem(ada)
  for (const stream of streams.slice(1)) await expect.poll(() => stream.hints.map((hint) => hint.id)).toEqual([id])
})

describe('the number of streams and what they hold is bounded', () => {
  async function createOwnStreams(readVersions: Sources[string] = (db, ids) => itemsTable.readVersions(db, ids)) {
    const app = await buildTestApp()
    const ada = await app.newUser()
    const { context, store } = app
    const streams = createStreams(context, { items: readVersions }, app.app.log)
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
    return { ...app, ada, streams, actor }
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
    const { streams, actor, ada, newItem, store } = await createOwnStreams()
    const outputs = await Promise.all(Array.from({ length: 20 }, () => streams.open(actor())))
    expect(streams.load().open).toBe(4)
    const texts = outputs.map(() => '')
    for (const [index, output] of outputs.entries())
      output.on('data', (chunk: Buffer) => (texts[index] += chunk.toString()))
    const id = await newItem(ada)
    await expect.poll(() => texts.filter((text) => text.includes(id)).length).toBe(4)
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
    const { streams, actor, ada, newItem, store } = await createOwnStreams()
    const id = await newItem(ada)
    const row = await store.db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const rows = Array.from({ length: 3_000 }, () => ({ ...row, id: randomUUID() }))
    const output = await streams.open(actor())
    let hints = 0
    async function read(): Promise<void> {
      for await (const chunk of output) {
        hints += String(chunk).split('event: change').length - 1
        for (let turn = 0; turn < 5; turn += 1) await setImmediate()
      }
    }
    const reading = read()
    await store.transaction(async (tx) => {
      for (let first = 0; first < rows.length; first += 500)
        await tx
          .insertInto('items')
          .values(rows.slice(first, first + 500))
          .execute()
    })
    await expect.poll(() => hints, until).toBeGreaterThanOrEqual(rows.length)
    await streams.close()
    await reading
  })

  test('what keeps changes from being read is in the log once, and its end', async () => {
    const read = vi.fn<Sources[string]>().mockRejectedValue(new Error('No database'))
    const { streams, actor, ada, newItem, log } = await createOwnStreams(read)
    const output = await streams.open(actor())
    for (let times = 1; times <= 3; times += 1) {
      await newItem(ada)
      await expect.poll(() => read.mock.calls.length, until).toBeGreaterThanOrEqual(times)
    }
    read.mockResolvedValue(new Map())
    await newItem(ada)
    await expect.poll(() => log.text(), until).toContain('events available again')
    expect(log.text().split('events unavailable')).toHaveLength(2)
    output.destroy()
  })

  test('a client that does not read is disconnected', async () => {
    const { streams, actor, ada, newItem } = await createOwnStreams()
    const [unread, read] = [await streams.open(actor()), await streams.open(actor())]
    let text = ''
    read.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const hints = () => text.split('event: change').length - 1
    let count = 0
    while (!unread.destroyed) {
      await Promise.all(Array.from({ length: 50 }, () => newItem(ada)))
      count += 50
      await expect.poll(hints).toBe(count)
    }
    expect(text.length).toBeGreaterThan(64 * 1024)
    expect(text.length).toBeLessThan(80 * 1024)
    expect(streams.load().open).toBe(1)
  })
})

test('a request for the headers opens no stream, and one without a session is refused', async () => {
  const app = await buildTestApp()
  const { token } = await app.newUser()
  const headers = { authorization: `Bearer ${token}` }
  expect((await app.app.inject({ method: 'HEAD', url: '/api/v1/events', headers })).statusCode).toBe(200)
  expect((await app.anonymous.get('/events')).statusCode).toBe(401)
})
