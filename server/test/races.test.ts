import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { buildTestApp, createClock, type TestApp, tokenIn } from './build-test-app.ts'
import { createTestDatabase } from './databases.ts'

const TIMES = 50

/** Two servers on one database; requests go to them in turn. */
async function buildServers(settings: Record<string, string> = {}): Promise<[TestApp, TestApp]> {
  const database = await createTestDatabase({ shared: true })
  const clock = createClock()
  return [await buildTestApp(settings, { database, clock }), await buildTestApp(settings, { database, clock })]
}

/** All at once, each to the server whose turn it is. */
async function allAtOnce(
  servers: [TestApp, TestApp],
  ask: (server: TestApp, index: number) => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse[]> {
  return Promise.all(Array.from({ length: TIMES }, (_, index) => ask(servers[index % 2 === 0 ? 0 : 1], index)))
}

function tally(answers: LightMyRequestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

/** One of the three ways in which a superuser stops being one. */
async function remove(server: TestApp, token: string, whom: string, way: number): Promise<LightMyRequestResponse> {
  if (way % 3 === 0) return server.request('DELETE', `/users/${whom}`, { token })
  const json = way % 3 === 1 ? { is_superuser: false } : { is_active: false }
  return server.request('PATCH', `/users/${whom}`, { token, json })
}

/** Whatever happened, the books are right: every count is what is there, and nothing belongs to nobody. */
async function expectSoundBooks({ store: { db } }: TestApp): Promise<void> {
  const users = await db.selectFrom('users').select('id').execute()
  const items = await db.selectFrom('items').select('owner_id').execute()
  const totals = await db.selectFrom('totals').select(['name', 'value']).execute()
  const sum = (name: string) => totals.reduce((all, row) => all + (row.name === name ? row.value : 0), 0)
  expect([sum('users'), sum('items')]).toEqual([users.length, items.length])
  const counts = await db.selectFrom('item_counts').select(['owner_id', 'value']).execute()
  const ids = users.map(({ id }) => id)
  expect(counts.map((row) => row.owner_id).toSorted()).toEqual(ids.toSorted())
  for (const { owner_id, value } of counts) {
    expect(value).toBe(items.filter((item) => item.owner_id === owner_id).length)
  }
  expect(items.filter((item) => !ids.includes(item.owner_id))).toEqual([])
}

describe('at the same time', () => {
  test('a superuser who is removed while the password of a new one is hashed makes nobody', async () => {
    const app = await buildTestApp({}, { realHashing: true })
    const admin = await app.newUser({ is_superuser: true })
    const mallory = await app.newUser({ is_superuser: true })
    const form = { username: 'nobody@example.com', password: 'x' }
    const queue = Array.from({ length: 8 }, () => app.request('POST', '/login/access-token', { form }))
    const json = { email: 'backdoor@example.com', password: 'long enough', is_superuser: true }
    const creation = app.request('POST', '/users/', { token: mallory.token, json })
    const removal = await app.request('DELETE', `/users/${mallory.id}`, { token: admin.token })
    const [created] = await Promise.all([creation, ...queue])
    expect([removal.statusCode, created.statusCode]).toEqual([200, 401])
    const made = await app.store.db.selectFrom('users').select('id').where('email', '=', json.email).execute()
    expect(made).toEqual([])
  })

  test('one address in two spellings signs up once', async () => {
    const servers = await buildServers()
    const answers = await allAtOnce(servers, (server, index) => {
      const email = index % 3 === 0 ? 'Ada@Example.com' : 'ada@example.com'
      return server.request('POST', '/users/signup', { json: { email, password: 'long enough' } })
    })
    expect(tally(answers)).toEqual({ 200: 1, 409: TIMES - 1 })
    await expectSoundBooks(servers[0])
  })

  test('one reset token sets one password', async () => {
    const servers = await buildServers()
    const [one] = servers
    const ada = await one.newUser()
    await one.request('POST', `/password-recovery/${ada.email}`)
    const token = tokenIn((await one.deliverMails())[0])
    const answers = await allAtOnce(servers, (server, index) =>
      server.request('POST', '/reset-password/', { json: { token, new_password: `password number ${index}` } }),
    )
    expect(tally(answers)).toEqual({ 200: 1, 400: TIMES - 1 })
    const winner = answers.findIndex(({ statusCode }) => statusCode === 200)
    expect(await one.logIn(ada.email, `password number ${winner}`)).toBeTypeOf('string')
  })

  test('two superusers who remove each other leave one, every time', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    for (let round = 0; round < TIMES; round += 1) {
      const ada = await one.newUser({ is_superuser: true })
      const ben = await one.newUser({ is_superuser: true })
      const answers = await Promise.all([
        remove(one, ada.token, ben.id, round),
        remove(two, ben.token, ada.id, round + 1),
      ])
      expect(tally(answers)).toEqual({ 200: 1, 401: 1 })
      const left = await one.store.db
        .selectFrom('users')
        .select('id')
        .where('is_superuser', '=', 1)
        .where('is_active', '=', 1)
        .execute()
      expect(left).toHaveLength(1)
      await one.store.db.updateTable('users').set({ is_superuser: 0 }).execute()
    }
    await expectSoundBooks(one)
  })

  test('the last two superusers who demote themselves leave one', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    for (let round = 0; round < TIMES; round += 1) {
      const people = [await one.newUser({ is_superuser: true }), await one.newUser({ is_superuser: true })]
      const answers = await Promise.all(
        people.map(({ id, token }, index) =>
          (index === 0 ? one : two).request('PATCH', `/users/${id}`, { token, json: { is_superuser: false } }),
        ),
      )
      expect(tally(answers)).toEqual({ 200: 1, 409: 1 })
      await one.store.db.updateTable('users').set({ is_superuser: 0 }).execute()
    }
  })

  test('one item is deleted once', async () => {
    const servers = await buildServers()
    const [one] = servers
    const ada = await one.newUser()
    const id = await one.newItem(ada)
    const answers = await allAtOnce(servers, (server) => server.request('DELETE', `/items/${id}`, { token: ada.token }))
    expect(tally(answers)).toEqual({ 200: 1, 404: TIMES - 1 })
    await expectSoundBooks(one)
  })

  test('of many who change what they have read, one does, and the others are told', async () => {
    const servers = await buildServers()
    const [one] = servers
    const root = await one.newUser({ is_superuser: true })
    const ada = await one.newUser()
    const item = `/items/${await one.newItem(ada)}`
    for (const [url, method, key] of [
      [item, 'PUT', 'title'],
      [`/users/${ada.id}`, 'PATCH', 'full_name'],
    ] as const) {
      const { headers } = await one.request('GET', url, { token: root.token })
      const answers = await allAtOnce(servers, (server, index) => {
        // Ada herself is among those who change her account.
        const [by, address] = index % 3 === 0 && method === 'PATCH' ? [ada, '/users/me'] : [root, url]
        const condition = { 'if-match': String(headers.etag) }
        return server.request(method, address, { token: by.token, json: { [key]: `${index}` }, headers: condition })
      })
      expect(tally(answers)).toEqual({ 200: 1, 412: TIMES - 1 })
      const winner = answers.findIndex(({ statusCode }) => statusCode === 200)
      expect((await one.request('GET', url, { token: root.token })).json()).toMatchObject({ [key]: `${winner}` })
    }
  })

  test('of a change and a deletion of what was read, one is done', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    const root = await one.newUser({ is_superuser: true })
    for (let round = 0; round < TIMES; round += 1) {
      const ada = await one.newUser()
      const [url, method, json] =
        round % 2 === 0
          ? ([`/items/${await one.newItem(ada)}`, 'PUT', { title: 'Changed' }] as const)
          : ([`/users/${ada.id}`, 'PATCH', { full_name: 'Changed' }] as const)
      const { headers } = await one.request('GET', url, { token: root.token })
      const condition = { token: root.token, headers: { 'if-match': String(headers.etag) } }
      const answers = await Promise.all([
        one.request(method, url, { ...condition, json }),
        two.request('DELETE', url, condition),
      ])
      // Whoever comes second finds it changed, or finds nothing.
      expect([
        { 200: 1, 412: 1 },
        { 200: 1, 404: 1 },
      ]).toContainEqual(tally(answers))
    }
    await expectSoundBooks(one)
  })

  test('an account that is deleted while it adds items leaves none behind', async () => {
    const servers = await buildServers()
    const [one] = servers
    const root = await one.newUser({ is_superuser: true })
    for (let round = 0; round < 5; round += 1) {
      const ada = await one.newUser()
      await one.newItem(ada)
      const answers = await allAtOnce(servers, (server, index) =>
        index === 10
          ? server.request('DELETE', `/users/${ada.id}`, { token: root.token })
          : index === 11
            ? server.request('DELETE', '/users/me', { token: ada.token })
            : server.request('POST', '/items/', { token: ada.token, json: { title: 'An item' } }),
      )
      for (const { statusCode } of answers) expect([200, 401, 404]).toContain(statusCode)
      expect((await one.request('GET', `/users/${ada.id}`, { token: root.token })).statusCode).toBe(404)
      await expectSoundBooks(one)
    }
  })

  test('items that are added and deleted by many are counted right', async () => {
    const servers = await buildServers()
    const [one] = servers
    const root = await one.newUser({ is_superuser: true })
    const people = [await one.newUser(), await one.newUser(), await one.newUser()]
    const ids = await Promise.all(people.map((person) => one.newItem(person)))
    const answers = await allAtOnce(servers, (server, index) => {
      const person = people[index % 3] ?? root
      const victim = ids[index % 7]
      return victim !== undefined && index > 20
        ? server.request('DELETE', `/items/${victim}`, { token: root.token })
        : server.request('POST', '/items/', { token: person.token, json: { title: `${index}` } })
    })
    expect(answers.filter(({ statusCode }) => ![200, 404].includes(statusCode))).toEqual([])
    await expectSoundBooks(one)
  })

  test('a log-in with the old password does not outlive a new one', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    for (let round = 0; round < TIMES; round += 1) {
      const ada = await one.newUser()
      const json = { current_password: ada.password, new_password: 'another good password' }
      const [changed, entered] = await Promise.all([
        one.request('PATCH', '/users/me/password', { token: ada.token, json }),
        two.request('POST', '/login/access-token', { form: { username: ada.email, password: ada.password } }),
      ])
      expect(changed.statusCode).toBe(200)
      // Either it came too late, or it came first and is over.
      const { access_token, detail } = entered.json<{ access_token?: string; detail?: string }>()
      const after = await two.request('GET', '/users/me', { token: access_token ?? 'none' })
      expect([detail ?? 'Incorrect email or password', after.statusCode]).toEqual(['Incorrect email or password', 401])
      expect((await one.request('GET', '/users/me', { token: ada.token })).statusCode).toBe(200)
    }
  })

  test('a log-in does not outlive the account’s deactivation or deletion', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    const root = await one.newUser({ is_superuser: true })
    for (let round = 0; round < TIMES; round += 1) {
      const ada = await one.newUser()
      const [ended, entered] = await Promise.all([
        round % 2 === 0
          ? one.request('PATCH', `/users/${ada.id}`, { token: root.token, json: { is_active: false } })
          : one.request('DELETE', `/users/${ada.id}`, { token: root.token }),
        two.request('POST', '/login/access-token', { form: { username: ada.email, password: ada.password } }),
      ])
      expect(ended.statusCode).toBe(200)
      expect([200, 400]).toContain(entered.statusCode)
      const sessions = await one.store.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id).execute()
      expect(sessions).toEqual([])
    }
  })

  test('two new passwords for one current one: one is set', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    const ada = await one.newUser()
    const change = (server: TestApp, new_password: string) =>
      server.request('PATCH', '/users/me/password', {
        token: ada.token,
        json: { current_password: ada.password, new_password },
      })
    const answers = await Promise.all([change(one, 'password number one'), change(two, 'password number two')])
    expect(tally(answers)).toEqual({ 200: 1, 400: 1 })
  })

  test('of a new address and a reset link to the old one, none goes on working', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    for (let round = 0; round < 20; round += 1) {
      const ada = await one.newUser()
      await one.request('POST', `/password-recovery/${ada.email}`)
      const [, mails] = await Promise.all([
        two.request('PATCH', '/users/me', { token: ada.token, json: { email: `new-${round}@example.com` } }),
        one.deliverMails(),
      ])
      for (const mail of mails.filter(({ kind }) => kind === 'recovery')) {
        const json = { token: tokenIn(mail), new_password: 'another good password' }
        expect((await one.request('POST', '/reset-password/', { json })).statusCode).toBe(400)
      }
    }
  })

  test('one recovery is asked for many times and mailed once', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    const ada = await one.newUser()
    const answers = await allAtOnce(servers, (server, index) =>
      server.request('POST', `/password-recovery/${ada.email}`, { ip: `192.0.2.${index}` }),
    )
    expect(tally(answers)).toEqual({ 200: TIMES })
    const delivered = await Promise.all([one.deliverMails(), two.deliverMails()])
    expect(delivered.flat()).toHaveLength(1)
  })

  test('several servers send each mail once', async () => {
    const servers = await buildServers()
    const [one, two] = servers
    const root = await one.newUser({ is_superuser: true })
    await allAtOnce(servers, (server, index) =>
      server.request('POST', '/users/', {
        token: root.token,
        json: { email: `a${index}@example.com`, password: 'long enough' },
      }),
    )
    const delivered = (await Promise.all([one.deliverMails(), two.deliverMails()])).flat()
    expect(delivered).toHaveLength(TIMES)
    expect(new Set(delivered.map(({ to }) => to)).size).toBe(TIMES)
  })
})
