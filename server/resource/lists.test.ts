import { describe, expect, test } from 'vitest'
import { deleteRowsOfDeletedOwners } from '../links/deleted-owners.ts'
import { addRow, addRows, anyResource } from '../test/any-resource.ts'
import { statusAndBody, buildTestApp, createClock, type Person, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { createTestDatabase } from '../test/databases.ts'
import { addUsers, idOf } from '../test/many-users.ts'

const MANY = 2_300
/** The number of rows with the same time, which are ordered by id. */
const PER_MS = 7

interface List {
  data: { id: string }[]
  count: number
}

/** Creation times are before the time of the test clock. */
const addManyRows = (app: TestApp, owner: Person, sample: (typeof anyResource)[number]) =>
  addRows(app, owner, sample, MANY, (index) => ({ id: idOf(index), created_at: timeOf(app, index) }))
const timeOf = ({ clock }: TestApp, index: number) => clock.now() - MANY + Math.floor(index / PER_MS)

async function expectRightPages(testApp: TestApp, path: string, token: string, ids: string[]): Promise<void> {
  const edges = [0, 1, 49, 1_000, ids.length - 20, ids.length - 1, ids.length, 2 ** 31 - 1]
  for (const skip of edges.filter((edge) => edge >= 0)) {
    const { data, count } = (await testApp.as(token).get(`${path}?skip=${skip}&limit=20`)).json<List>()
    expect([skip, count, data.map(({ id }) => id)]).toEqual([skip, ids.length, ids.slice(skip, skip + 20)])
  }
}

async function idsOf({ store: { db } }: TestApp, table: string, ownerId?: string): Promise<string[]> {
  // Without resources, there are no types of their tables.
  let rows = db
    .selectFrom(table as 'users')
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  if (ownerId !== undefined) rows = rows.where('owner_id' as 'id', '=', ownerId)
  return (await rows.execute()).map(({ id }) => id)
}

describe('long lists', () => {
  test.each(anyResource)('of $table have correct pages after additions and deletions', async (sample) => {
    const testApp = await buildTestApp()
    const { newUser } = testApp
    const list = `/${sample.table}/`
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    const ben = await newUser()
    await addManyRows(testApp, ada, sample)
    for (const index of [0, 1, 900, 1_000, MANY - 1]) {
      await ada.delete(`${list}${idOf(index)}`)
    }
    await addRow(ben, sample)
    const ids = await idsOf(testApp, sample.table)
    expect(ids).toHaveLength(MANY - 4)
    await expectRightPages(testApp, list, root.token, ids)
    await expectRightPages(testApp, list, ada.token, await idsOf(testApp, sample.table, ada.id))
  })

  test('of users have correct pages', async () => {
    const { app, root } = await buildTestAppWith({ root: { is_superuser: true } })
    await addUsers(app, MANY, (index) => ({ created_at: timeOf(app, index) }))
    await root.delete(`/users/${idOf(100)}`)
    await expectRightPages(app, '/users/', root.token, await idsOf(app, 'users'))
  })

  test.each(anyResource)('of $table stay correct while several servers add and delete', async (sample) => {
    const list = `/${sample.table}/`
    const database = await createTestDatabase({ shared: true })
    const clock = createClock()
    const one = await buildTestApp({}, { database, clock })
    const two = await buildTestApp({}, { database, clock })
    const root = await one.newUser({ is_superuser: true })
    const ada = await one.newUser()
    const ben = await one.newUser()
    await addManyRows(one, ada, sample)
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const server = index % 2 === 0 ? one : two
        if (index % 3 > 0) return server.as(ada).delete(`${list}${idOf(index * 31)}`)
        const eve = index % 4 === 0 ? ada : ben
        return server.as(eve).post(list, { ...sample.least, [sample.searched[0]]: `${index}` })
      }),
    )
    expect(responses.map(({ statusCode }) => statusCode).filter((status) => status !== 200)).toEqual([])
    await expectRightPages(two, list, root.token, await idsOf(one, sample.table))
    await expectRightPages(two, list, ada.token, await idsOf(one, sample.table, ada.id))
  })
})

describe.each(anyResource)('an account with many $table', (sample) => {
  const list = `/${sample.table}/`
  const ways: [string, (root: Person, ada: Person) => ReturnType<Person['delete']>][] = [
    ['by its owner', (_root, ada) => ada.delete('/users/me')],
    ['by a superuser', (root, { id }) => root.delete(`/users/${id}`)],
  ]

  test.each(ways)('disappears at once when deleted %s, and its rows are deleted in batches', async (_how, remove) => {
    const testApp = await buildTestApp()
    const { anonymous, newUser, store, housekeeping } = testApp
    const root = await newUser({ is_superuser: true })
    const ada = await newUser({ email: 'ada@example.com' })
    const own = await addRow(root, sample)
    await addManyRows(testApp, ada, sample)
    expect((await remove(root, ada)).statusCode).toBe(200)

    const expectGone = async () => {
      await expectRightPages(testApp, list, root.token, [own])

      expect((await root.get(`/users/${ada.id}`)).statusCode).toBe(404)
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const json = method === 'PUT' ? { [sample.searched[0]]: 'x' } : undefined
        const response = await root.send(method, `${list}${idOf(5)}`, json)
        expect(statusAndBody(response)).toEqual([404, { detail: `${sample.schema.replace('Public', '')} not found` }])
      }
      expect((await ada.get('/users/me')).statusCode).toBe(401)
    }
    await expectGone()
    const left: number[] = []
    while (await store.transaction((tx) => deleteRowsOfDeletedOwners(tx, testApp.clock.now()))) {
      left.push((await idsOf(testApp, sample.table, ada.id)).length)
      await expectGone()
    }
    expect(left).toEqual([2_000, 1_700, 1_400, 1_100, 800, 500, 200, 0, 0])

    expect((await anonymous.post('/users/signup', { email: ada.email, password: 'long enough' })).statusCode).toBe(200)
    await housekeeping.runAll()
    expect(await store.db.selectFrom('deleted_owners').selectAll().execute()).toEqual([])
  })

  test('has its rows deleted once by several servers', async () => {
    const database = await createTestDatabase({ shared: true })
    const one = await buildTestApp({}, { database })
    const two = await buildTestApp({}, { database })
    const ada = await one.newUser()
    const ben = await one.newUser()
    await addRow(one.as(ben), sample)
    await addManyRows(one, ada, sample)
    await one.as(ada).delete('/users/me')
    await Promise.all([one.housekeeping.runAll(), two.housekeeping.runAll(), one.housekeeping.runAll()])
    expect(await idsOf(one, sample.table, ada.id)).toEqual([])
    expect(await idsOf(one, sample.table, ben.id)).toHaveLength(1)
    expect(await one.store.db.selectFrom('deleted_owners').selectAll().execute()).toEqual([])
  })

  test('is one of several whose rows are deleted together', async () => {
    const testApp = await buildTestApp()
    const people = [await testApp.newUser(), await testApp.newUser(), await testApp.newUser()]
    for (const person of people) await addRow(person, sample)
    for (const { token } of people) await testApp.as(token).delete('/users/me')
    expect(await testApp.store.transaction((tx) => deleteRowsOfDeletedOwners(tx, testApp.clock.now()))).toBe(true)
    expect(await idsOf(testApp, sample.table)).toEqual([])
  })
})
