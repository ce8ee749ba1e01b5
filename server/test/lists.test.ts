import type { Kysely } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { BLOCK_ROWS, closeBlocks } from '../store/blocks.ts'
import { BULK_ROWS, closeAllBlocks, insertItems, insertUsers } from '../store/bulk.ts'
import { up } from '../store/migrations/0003-list-blocks.ts'
import { buildTestApp, createClock } from './build-test-app.ts'
import { createTestDatabase } from './databases.ts'
import { addMany, expectRightPages, expectSoundBlocks, idOf, MANY, PER_MS, readBlocks } from './long-lists.ts'

describe('long lists', () => {
  test('are right on every page, while rows are added and deleted at any place', async () => {
    const testApp = await buildTestApp()
    const { request, newUser, newItem, clock } = testApp
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    const ben = await newUser()
    await addMany(testApp, ada)
    const expectRight = async () => {
      await expectSoundBlocks(testApp)
      await expectRightPages(testApp, root.token)
      await expectRightPages(testApp, ada.token, ada.id)
    }
    const sizes = (await readBlocks(testApp))['items']
    expect(sizes).toHaveLength(2)
    expect((await readBlocks(testApp))[ada.id]).toEqual(sizes)
    await expectRight()

    for (const index of [0, 1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 9_000, MANY - 1]) {
      await request('DELETE', `/items/${idOf(index)}`, { token: ada.token })
    }
    await newItem(ben)
    await expectRight()
    expect((await readBlocks(testApp))['items']).toHaveLength(2)

    // A server whose clock is behind adds into the second block.
    clock.advance(-MANY + Math.floor((BLOCK_ROWS * 1.5) / PER_MS))
    await newItem(ben)
    await expectRight()
    expect(await readBlocks(testApp)).toEqual({
      items: [expect.any(Number)],
      [ada.id]: [expect.any(Number), expect.any(Number)],
    })
  })

  test('lose the rows of a deleted account from every block', async () => {
    const testApp = await buildTestApp()
    const { request, newUser, newItem, clock } = testApp
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    const ben = await newUser()
    clock.advance(-MANY - 1)
    const oldest = await newItem(ben)
    clock.advance(MANY + 1)
    await addMany(testApp, ada)
    const own = await newItem(ben)
    await request('DELETE', '/users/me', { token: ada.token })
    await expectSoundBlocks(testApp)
    const { items = [], ...others } = await readBlocks(testApp)
    expect([items.reduce((all, size) => all + size, 0), others]).toEqual([1, {}])
    const answer = await request('GET', '/items/', { token: root.token })
    expect(answer.json()).toMatchObject({ data: [{ id: own }, { id: oldest }], count: 2 })
  })

  test('whose rows were all deleted one by one go with their owner', async () => {
    const testApp = await buildTestApp()
    const { request, newUser, newItem, store, clock } = testApp
    const ada = await newUser()
    const id = await newItem(ada)
    await store.db.insertInto('list_blocks').values({ list: ada.id, until: clock.now(), size: 1 }).execute()
    await request('DELETE', `/items/${id}`, { token: ada.token })
    expect(await readBlocks(testApp)).toEqual({ [ada.id]: [0] })
    await request('DELETE', '/users/me', { token: ada.token })
    expect(await readBlocks(testApp)).toEqual({})
  })

  test('have their blocks closed by those who add', async () => {
    const testApp = await buildTestApp()
    const { newUser, newItem, store, clock } = testApp
    const ada = await newUser()
    await addMany(testApp, ada)
    await store.db.deleteFrom('list_blocks').execute()
    clock.advance(1)
    await newItem(ada)
    expect(await readBlocks(testApp)).toEqual({})
    vi.spyOn(Math, 'random').mockReturnValue(0)
    await newItem(ada)
    vi.restoreAllMocks()
    const { items = [] } = await readBlocks(testApp)
    expect(items).toHaveLength(2)
    expect(await readBlocks(testApp)).toEqual({ items, [ada.id]: items })
    await expectSoundBlocks(testApp)
    await expectRightPages(testApp, ada.token, ada.id)
  })

  test('keep their blocks when rows that are there are added again, and not when older ones are', async () => {
    const testApp = await buildTestApp()
    const { newUser, store, clock } = testApp
    const ada = await newUser()
    await addMany(testApp, ada)
    const before = await store.db.selectFrom('list_blocks').selectAll().orderBy('list').orderBy('until').execute()
    await addMany(testApp, ada)
    const after = await store.db.selectFrom('list_blocks').selectAll().orderBy('list').orderBy('until').execute()
    expect(after).toEqual(before)
    const older = {
      id: idOf(MANY),
      owner_id: ada.id,
      title: 'older',
      description: null,
      created_at: clock.now() - MANY,
    }
    expect(await store.transaction((tx) => insertItems(tx, [older]))).toBe(1)
    expect(await readBlocks(testApp)).toEqual({})
    await expectRightPages(testApp, ada.token, ada.id)
    await closeAllBlocks(store)
    await expectSoundBlocks(testApp)
    await expectRightPages(testApp, ada.token, ada.id)
  })

  test('with more rows of one moment than are looked at for closing are right all the same', async () => {
    const testApp = await buildTestApp()
    const ada = await testApp.newUser()
    const of = 12 * BLOCK_ROWS
    await addMany(testApp, ada, of, of)
    await expectSoundBlocks(testApp)
    await expectRightPages(testApp, ada.token, ada.id)
  })

  test('that were there before there were blocks get theirs by the migration', async () => {
    const testApp = await buildTestApp()
    const ada = await testApp.newUser()
    await addMany(testApp, ada)
    await testApp.store.db.schema.dropTable('list_blocks').execute()
    await testApp.store.transaction((tx) => up(tx as unknown as Kysely<unknown>))
    const { items = [] } = await readBlocks(testApp)
    expect(items).toHaveLength(2)
    expect(await readBlocks(testApp)).toEqual({ items, [ada.id]: items })
    await expectSoundBlocks(testApp)
    await expectRightPages(testApp, ada.token, ada.id)
  })

  test('of users are right on every page', async () => {
    const testApp = await buildTestApp()
    const { request, newUser, store, clock } = testApp
    const root = await newUser({ is_superuser: true })
    const of = 2 * BLOCK_ROWS + 10
    for (let from = 0; from < of; from += BULK_ROWS) {
      const rows = Array.from({ length: Math.min(BULK_ROWS, of - from) }, (_, offset) => {
        const email = `${from + offset}@example.com`
        const flags = { is_active: true, is_superuser: false }
        const created_at = clock.now() - of + Math.floor((from + offset) / PER_MS)
        return {
          id: idOf(from + offset),
          email,
          email_key: email,
          full_name: null,
          password_hash: '-',
          ...flags,
          created_at,
        }
      })
      await store.transaction((tx) => insertUsers(tx, rows))
    }
    await closeAllBlocks(store)
    await request('DELETE', `/users/${idOf(100)}`, { token: root.token })
    await expectSoundBlocks(testApp)
    expect((await readBlocks(testApp))['users']).toHaveLength(1)
    const all = await store.db
      .selectFrom('users')
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    for (const skip of [0, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 12, of - 20, of, of + 1]) {
      const answer = await request('GET', `/users/?skip=${skip}&limit=30`, { token: root.token })
      const { data, count } = answer.json<{ data: { id: string }[]; count: number }>()
      expect([skip, count, data.map(({ id }) => ({ id }))]).toEqual([skip, all.length, all.slice(skip, skip + 30)])
    }
  })

  test('stay right while several servers add, delete and close blocks', async () => {
    const database = await createTestDatabase({ shared: true })
    const clock = createClock()
    const one = await buildTestApp({}, { database, clock })
    const two = await buildTestApp({}, { database, clock })
    const root = await one.newUser({ is_superuser: true })
    const ada = await one.newUser()
    const ben = await one.newUser()
    await addMany(one, ada)
    await one.store.db.deleteFrom('list_blocks').execute()
    let calls = 0
    // Every fifth of those who add closes blocks; the others take different stripes of the totals.
    vi.spyOn(Math, 'random').mockImplementation(() => ((calls += 1) % 5 === 0 ? 0 : (calls % 16) / 16))
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const server = index % 2 === 0 ? one : two
        if (index % 3 > 0) return server.request('DELETE', `/items/${idOf(index * 97)}`, { token: ada.token })
        const { token } = index % 4 === 0 ? ada : ben
        return server.request('POST', '/items/', { token, json: { title: `${index}` } })
      }),
    )
    vi.restoreAllMocks()
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status !== 200)).toEqual([])
    await one.store.transaction((tx) => closeBlocks(tx, 'items'))
    await expectSoundBlocks(one)
    await expectRightPages(two, root.token)
    await expectRightPages(two, ada.token, ada.id)
  })
})
