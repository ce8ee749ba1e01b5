import { describe, expect, test } from 'vitest'
import { deleteRowsOfDeletedOwners } from '../links/deleted-owners.ts'
import { statusAndBody, buildTestApp, createClock, type Person, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { createTestDatabase } from '../test/databases.ts'
import { addItems as addManyItems } from '../test/many-items.ts'
import { addUsers, idOf } from '../test/many-users.ts'

const MANY = 2_300
/** The number of rows with the same time, which are ordered by id. */
const PER_MS = 7

interface List {
  data: { id: string }[]
  count: number
}

/** Creation times are before the time of the test clock. */
const addItems = (app: TestApp, owner: Person) =>
  addManyItems(app, owner, MANY, (index) => ({ created_at: timeOf(app, index) }))
const timeOf = ({ clock }: TestApp, index: number) => clock.now() - MANY + Math.floor(index / PER_MS)

async function expectRightPages(testApp: TestApp, path: string, token: string, ids: string[]): Promise<void> {
  const edges = [0, 1, 49, 1_000, ids.length - 20, ids.length - 1, ids.length, 2 ** 31 - 1]
  for (const skip of edges.filter((edge) => edge >= 0)) {
    const { data, count } = (await testApp.as(token).get(`${path}?skip=${skip}&limit=20`)).json<List>()
    expect([skip, count, data.map(({ id }) => id)]).toEqual([skip, ids.length, ids.slice(skip, skip + 20)])
  }
}

async function idsOf({ store: { db } }: TestApp, table: 'items' | 'users', ownerId?: string): Promise<string[]> {
  let rows = db.selectFrom(table).select('id').orderBy('created_at', 'desc').orderBy('id', 'desc')
  if (ownerId !== undefined) rows = rows.where('owner_id' as 'id', '=', ownerId)
  return (await rows.execute()).map(({ id }) => id)
}

describe('long lists', () => {
  test('of items have correct pages after additions and deletions', async () => {
    const { app, newItem, root, ada, ben } = await buildTestAppWith({ root: { is_superuser: true }, ada: {}, ben: {} })
    await addItems(app, ada)
    for (const index of [0, 1, 900, 1_000, MANY - 1]) await ada.delete(`/items/${idOf(index)}`)
    await newItem(ben)
    await expectRightPages(app, '/items/', root.token, await idsOf(app, 'items'))
    await expectRightPages(app, '/items/', ada.token, await idsOf(app, 'items', ada.id))
  })

  test('of users have correct pages', async () => {
    const { app, root } = await buildTestAppWith({ root: { is_superuser: true } })
    await addUsers(app, MANY, (index) => ({ created_at: timeOf(app, index) }))
    await root.delete(`/users/${idOf(100)}`)
    await expectRightPages(app, '/users/', root.token, await idsOf(app, 'users'))
  })

  test('stay correct while several servers add and delete', async () => {
    const database = await createTestDatabase({ shared: true })
    const clock = createClock()
    const one = await buildTestApp({}, { database, clock })
    const two = await buildTestApp({}, { database, clock })
    const root = await one.newUser({ is_superuser: true })
    const ada = await one.newUser()
    const ben = await one.newUser()
    await addItems(one, ada)
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const server = index % 2 === 0 ? one : two
        if (index % 3 > 0) return server.as(ada).delete(`/items/${idOf(index * 31)}`)
        return server.as(index % 4 === 0 ? ada : ben).post('/items/', { title: `${index}` })
      }),
    )
    expect(responses.map(({ statusCode }) => statusCode).filter((status) => status !== 200)).toEqual([])
    await expectRightPages(two, '/items/', root.token, await idsOf(one, 'items'))
    await expectRightPages(two, '/items/', ada.token, await idsOf(one, 'items', ada.id))
  })
})

describe('an account with many items', () => {
  const ways: [string, (root: Person, ada: Person) => ReturnType<Person['delete']>][] = [
    ['by its owner', (_root, ada) => ada.delete('/users/me')],
    ['by a superuser', (root, { id }) => root.delete(`/users/${id}`)],
  ]

  test.each(ways)('disappears at once when deleted %s, and its items are deleted in batches', async (_how, remove) => {
    const testApp = await buildTestApp()
    const { anonymous, newUser, newItem, store, housekeeping } = testApp
    const root = await newUser({ is_superuser: true })
    const ada = await newUser({ email: 'ada@example.com' })
    const own = await newItem(root)
    await addItems(testApp, ada)
    expect((await remove(root, ada)).statusCode).toBe(200)

    const expectGone = async () => {
      await expectRightPages(testApp, '/items/', root.token, [own])

      expect((await root.get(`/users/${ada.id}`)).statusCode).toBe(404)
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const json = method === 'PUT' ? { title: 'x' } : undefined
        const response = await root.send(method, `/items/${idOf(5)}`, json)
        expect(statusAndBody(response)).toEqual([404, { detail: 'Item not found' }])
      }
      expect((await ada.get('/users/me')).statusCode).toBe(401)
    }
    await expectGone()
    const left: number[] = []
    while (await store.transaction((tx) => deleteRowsOfDeletedOwners(tx, testApp.clock.now()))) {
      left.push((await idsOf(testApp, 'items', ada.id)).length)
      await expectGone()
    }
    expect(left).toEqual([2_000, 1_700, 1_400, 1_100, 800, 500, 200, 0, 0])

    expect((await anonymous.post('/users/signup', { email: ada.email, password: 'long enough' })).statusCode).toBe(200)
    await housekeeping.runAll()
    expect(await store.db.selectFrom('deleted_owners').selectAll().execute()).toEqual([])
  })

  test('has its items deleted once by several servers', async () => {
    const database = await createTestDatabase({ shared: true })
    const one = await buildTestApp({}, { database })
    const two = await buildTestApp({}, { database })
    const ada = await one.newUser()
    const ben = await one.newUser()
    await one.newItem(ben)
    await addItems(one, ada)
    await one.as(ada).delete('/users/me')
    await Promise.all([one.housekeeping.runAll(), two.housekeeping.runAll(), one.housekeeping.runAll()])
    expect(await idsOf(one, 'items', ada.id)).toEqual([])
    expect(await idsOf(one, 'items', ben.id)).toHaveLength(1)
    expect(await one.store.db.selectFrom('deleted_owners').selectAll().execute()).toEqual([])
  })

  test('is one of several whose items are deleted together', async () => {
    const testApp = await buildTestApp()
    const people = [await testApp.newUser(), await testApp.newUser(), await testApp.newUser()]
    for (const person of people) await testApp.newItem(person)
    for (const { token } of people) await testApp.as(token).delete('/users/me')
    expect(await testApp.store.transaction((tx) => deleteRowsOfDeletedOwners(tx, testApp.clock.now()))).toBe(true)
    expect(await idsOf(testApp, 'items')).toEqual([])
  })
})
