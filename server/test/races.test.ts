import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { ensureFirstSuperuser } from '../operator/rules.ts'
import { addRow, anyResource } from './any-resource.ts'
import { buildTestApp, type Client, knownPassword, type List, type TestApp } from './build-test-app.ts'
import { createEmptyDatabase } from './databases.ts'
import { snapshot } from './snapshot.ts'
import { allAtOnce, buildPeopledServers, buildServers, expectConsistentCounts, tally, TIMES } from './two-servers.ts'

async function remove(person: Client, whom: string, way: number) {
  if (way % 3 === 0) return person.delete(`/users/${whom}`)
  return person.patch(`/users/${whom}`, way % 3 === 1 ? { is_superuser: false } : { is_active: false })
}

const newSuperusers = async ({ newUser }: TestApp) =>
  [await newUser({ is_superuser: true }), await newUser({ is_superuser: true })] as const

/** Demotes all superusers. @returns those that were active */
async function demoteSuperusers({ store: { db } }: TestApp): Promise<{ id: string }[]> {
  const active = db.selectFrom('users').select('id').where('is_superuser', '=', 1).where('is_active', '=', 1)
  const found = await active.execute()
  await db.updateTable('users').set({ is_superuser: 0 }).execute()
  return found
}

describe('concurrently', () => {
  test('servers that start on an empty database apply each migration once, and make one superuser', async () => {
    const database = await createEmptyDatabase()
    const servers = await Promise.all(Array.from({ length: 8 }, () => buildTestApp({}, { database })))
    const [{ store, logIn }] = servers as [TestApp]
    const made = await Promise.all(
      servers.map(({ context }) => ensureFirstSuperuser(context, 'root@example.com', knownPassword)),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await logIn('root@example.com', knownPassword)).toBeTypeOf('string')
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(store.db)
    const files = new Set(readdirSync('server/migrations').map((file) => file.split('.')[0]))
    expect(rows).toHaveLength(files.size)
    expect(new Set(rows.map(({ name }) => name))).toEqual(files)
  })

  test('a superuser who is removed while a new account’s password is hashed creates nothing', async () => {
    const app = await buildTestApp()
    const [admin, mallory] = await newSuperusers(app)
    const { hashing } = app.context
    const hash = hashing.hash.bind(hashing)
    const begun = Promise.withResolvers<void>()
    const removed = Promise.withResolvers<void>()
    vi.spyOn(hashing, 'hash').mockImplementationOnce(async (...args) => {
      begun.resolve()
      await removed.promise
      return hash(...args)
    })
    const json = { email: 'backdoor@example.com', password: 'long enough', is_superuser: true }
    const creation = mallory.post('/users/', json)
    await begun.promise
    const removal = await admin.delete(`/users/${mallory.id}`)
    removed.resolve()
    const created = await creation
    expect([removal.statusCode, created.statusCode]).toEqual([200, 401])
    const made = await app.store.db.selectFrom('users').select('id').where('email', '=', json.email).execute()
    expect(made).toEqual([])
  })

  test('an address in two spellings signs up once', async () => {
    const servers = await buildServers()
    const responses = await allAtOnce(servers, (server, index) => {
      const email = index % 3 === 0 ? 'Ada@Example.com' : 'ada@example.com'
      return server.anonymous.post('/users/signup', { email, password: 'long enough' })
    })
    expect(tally(responses)).toEqual({ 200: 1, 409: TIMES - 1 })
    await expectConsistentCounts(servers[0])
  })

  test('two superusers who remove each other leave one', async () => {
    const [one, two] = await buildServers()
    for (let round = 0; round < TIMES; round += 1) {
      const [ada, ben] = await newSuperusers(one)
      const responses = await Promise.all([remove(ada, ben.id, round), remove(two.as(ben), ada.id, round + 1)])
      expect(tally(responses)).toEqual({ 200: 1, 401: 1 })
      expect(await demoteSuperusers(one)).toHaveLength(1)
    }
    await expectConsistentCounts(one)
  })

  test('the last two superusers who demote themselves leave one', async () => {
    const [one, two] = await buildServers()
    for (let round = 0; round < TIMES; round += 1) {
      const [ada, ben] = await newSuperusers(one)
      const demotions = [remove(ada, ada.id, 1), remove(two.as(ben), ben.id, 1)]
      expect(tally(await Promise.all(demotions))).toEqual({ 200: 1, 409: 1 })
      await demoteSuperusers(one)
    }
  })

  test('superusers who remove all superusers leave one', async () => {
    const [one, two] = await buildServers()
    const actions = ['remove_superuser', 'deactivate', 'delete']
    for (let round = 0; round < TIMES; round += 1) {
      const [ada, ben] = await newSuperusers(one)
      const [action, other] = [actions[round % 3], actions[(round + 1) % 3]]
      const responses = await Promise.all([
        ada.post('/users/bulk', { action, ids: [ada.id, ben.id] }),
        two.as(ben).post('/users/bulk', { action: other, filter: { role: 'superuser' }, count: 2 }),
      ])
      // The second request finds its session ended or the list changed.
      const { 200: done, 401: ended = 0, 409: changed = 0 } = tally(responses)
      expect([done, ended + changed]).toEqual([1, 1])
      expect(await demoteSuperusers(one)).toHaveLength(1)
    }
    await expectConsistentCounts(one)
  })

  test.each(anyResource)(
    '$table that many people delete at once are deleted once, and counted correctly',
    async (sample) => {
      const { servers, one, root, ada } = await buildPeopledServers()
      const people = [ada, await one.newUser(), await one.newUser()]
      const owned = await Promise.all(
        people.map((person) => Promise.all(Array.from({ length: 20 }, () => addRow(person, sample)))),
      )
      const ids = owned.flat()
      const bulk = `/${sample.table}/bulk`
      const responses = await Promise.all([
        ...servers.flatMap((server) => [
          ...people.map((person, index) => server.as(person).post(bulk, { action: 'delete', ids: owned[index] })),
          server.as(root).post(bulk, { action: 'delete', ids }),
        ]),
        ...people.map((person) => person.post(`/${sample.table}/`, sample.least)),
        ...people.slice(1).map(({ id }) => root.delete(`/users/${id}`)),
      ])
      // Deleted people get 401, because their sessions end.
      expect(responses.filter(({ statusCode }) => ![200, 401].includes(statusCode)).map(({ body }) => body)).toEqual([])
      const changed = responses.map((response) => response.json<{ changed?: number }>().changed ?? 0)
      expect(changed.reduce((sum, number) => sum + number, 0)).toBeLessThanOrEqual(ids.length)
      await expectConsistentCounts(one)
      await one.housekeeping.runAll()
      const { rows } = await snapshot(one)
      expect(rows.filter(({ id }) => ids.includes(String(id)))).toEqual([])
      await expectConsistentCounts(one)
    },
  )

  test.each(anyResource)('a row is created once per key and person', async (sample) => {
    const { servers, one, root, ada } = await buildPeopledServers()
    const responses = await allAtOnce(servers, (server, index) => {
      const person = Math.floor(index / 2) % 2 === 0 ? ada : root
      const json = index % 3 === 0 ? sample.full : sample.least
      return server.as(person).post(`/${sample.table}/`, json, { headers: { 'idempotency-key': 'a key' } })
    })
    expect(tally(responses)).toEqual({ 200: TIMES })
    expect(new Set(responses.map(({ body }) => body)).size).toBe(2)
    expect((await snapshot(one)).rows).toHaveLength(2)
    await expectConsistentCounts(one)
  })

  test.each(anyResource)('a row that is created and deleted with one key exists at most once', async (sample) => {
    const { table, least } = sample
    const { servers, one, ada } = await buildPeopledServers()
    const create = (server: TestApp) =>
      server.as(ada).post(`/${table}/`, least, { headers: { 'idempotency-key': 'a key' } })
    const { id } = (await create(one)).json<{ id: string }>()
    const responses = await allAtOnce(servers, (server, index) =>
      index % 3 === 0 ? server.as(ada).delete(`/${table}/${id}`) : create(server),
    )
    for (const { statusCode } of responses) expect([200, 404]).toContain(statusCode)
    await expectConsistentCounts(one)
    expect((await create(one)).json()).toMatchObject({ id })
    expect((await snapshot(one)).rows).toEqual([expect.objectContaining({ id })])
  })

  test.each(anyResource)('a row is deleted once', async (sample) => {
    const { servers, one, ada } = await buildPeopledServers()
    const url = `/${sample.table}/${await addRow(ada, sample)}`
    const responses = await allAtOnce(servers, (server) => server.as(ada).delete(url))
    expect(tally(responses)).toEqual({ 200: 1, 404: TIMES - 1 })
    await expectConsistentCounts(one)
  })

  test('of many conditional changes one succeeds, and the others get 412', async () => {
    const { servers, root, ada } = await buildPeopledServers()
    const ofRows = anyResource.map(async (sample) => {
      const { table, searched } = sample
      return [`/${table}/`, `/${table}/${await addRow(ada, sample)}`, 'PUT', searched[0]] as const
    })
    for (const [list, url, method, key] of [
      ...(await Promise.all(ofRows)),
      [`/users/?q=${ada.id}`, `/users/${ada.id}`, 'PATCH', 'full_name'] as const,
    ]) {
      const [row] = (await root.get(list)).json<List<{ version: string }>>().data
      const responses = await allAtOnce(servers, (server, index) => {
        const [by, address] = index % 3 === 0 && method === 'PATCH' ? [ada, '/users/me'] : [root, url]
        const condition = { 'if-match': `"${row?.version}"` }
        return server.as(by).send(method, address, { [key]: `${index}` }, { headers: condition })
      })
      expect(tally(responses)).toEqual({ 200: 1, 412: TIMES - 1 })
      const winner = responses.findIndex(({ statusCode }) => statusCode === 200)
      expect((await root.get(url)).json()).toMatchObject({ [key]: `${winner}` })
    }
  })

  test('of a conditional change and a conditional deletion, one succeeds', async () => {
    const { one, two, root } = await buildPeopledServers()
    for (let round = 0; round < TIMES; round += 1) {
      const ada = await one.newUser()
      const [sample] = round % 2 === 0 ? anyResource : []
      const [url, method, json] = sample
        ? ([`/${sample.table}/${await addRow(ada, sample)}`, 'PUT', sample.changes[0]] as const)
        : ([`/users/${ada.id}`, 'PATCH', { full_name: 'Changed' }] as const)
      const { headers } = await root.get(url)
      const condition = { headers: { 'if-match': String(headers.etag) } }
      const change = root.send(method, url, json, condition)
      const responses = await Promise.all([change, two.as(root).delete(url, condition)])
      // The second request finds a change or no row.
      const { 200: done, 404: gone = 0, 412: changed = 0 } = tally(responses)
      expect([done, gone + changed]).toEqual([1, 1])
    }
    await expectConsistentCounts(one)
  })

  test.each(anyResource)('an account that is deleted while it adds $table leaves none', async (sample) => {
    const { servers, one, root } = await buildPeopledServers()
    for (let round = 0; round < 5; round += 1) {
      const ada = await one.newUser()
      await addRow(ada, sample)
      const responses = await allAtOnce(servers, (server, index) =>
        index === 10
          ? server.as(root).delete(`/users/${ada.id}`)
          : index === 11
            ? server.as(ada).delete('/users/me')
            : server.as(ada).post(`/${sample.table}/`, sample.least),
      )
      for (const { statusCode } of responses) expect([200, 401, 404]).toContain(statusCode)
      expect((await root.get(`/users/${ada.id}`)).statusCode).toBe(404)
      await expectConsistentCounts(one)
    }
  })

  test.each(anyResource)('$table that are added and deleted by many are counted correctly', async (sample) => {
    const { servers, one, root, ada } = await buildPeopledServers()
    const people = [ada, await one.newUser(), await one.newUser()]
    const ids = await Promise.all(people.map((person) => addRow(person, sample)))
    const responses = await allAtOnce(servers, (server, index) => {
      const person = people[index % 3] ?? root
      const victim = ids[index % 7]
      return victim !== undefined && index > 20
        ? server.as(root).delete(`/${sample.table}/${victim}`)
        : server.as(person).post(`/${sample.table}/`, sample.least)
    })
    expect(responses.filter(({ statusCode }) => ![200, 404].includes(statusCode))).toEqual([])
    await expectConsistentCounts(one)
  })
})
