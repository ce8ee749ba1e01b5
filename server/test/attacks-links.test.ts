import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteRowsOfDeletedOwners } from '../links/deleted-owners.ts'
import { createResourceRules } from '../resource/rules.ts'
import { resources } from '../resources.ts'
import { resume } from '../sessions/rules.ts'
import { addRow, anyResource } from './any-resource.ts'
import { type Person, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { addAuthor, addBooks, addLinkedTables, authorsTable, booksTable, chained, starred } from './linked-tables.ts'
import { recordTransactions } from './query-plans.ts'
import { expectConsistentCounts } from './two-servers.ts'

// Linked tables come first. The list is shared with other test files, so these tables are removed afterwards.
const linked = [authorsTable, booksTable] as never[]
beforeAll(() => void (resources as unknown[]).push(...linked))
afterAll(() => void (resources as unknown[]).splice(-linked.length))

async function setUp() {
  const { app, ...people } = await buildPeopledApp()
  await addLinkedTables(app.store)
  return { ...app, ...people }
}

async function rowsOf({ store }: TestApp, table: 'authors' | 'books') {
  const columns = table === 'authors' ? sql`id, favourite_id` : sql`id, author_id, sequel_of_id`
  const read = sql<Record<string, string | null>>`select ${columns}, updated_at from ${sql.table(table)} order by id`
  return (await read.execute(store.db)).rows
}

/** Deletes an account and its rows. @returns the largest number of rows that one transaction deleted or changed */
async function deleteAccount(testApp: TestApp & { root: Person }, id: string): Promise<number> {
  const { root, store, clock } = testApp
  expect((await root.delete(`/users/${id}`)).statusCode).toBe(200)
  const all = async () => {
    const rows = [...(await rowsOf(testApp, 'authors')), ...(await rowsOf(testApp, 'books'))]
    return new Map(rows.map((row) => [row['id'], JSON.stringify(row)]))
  }
  let most = 0
  let before = await all()
  for (let isMore = true; isMore;) {
    isMore = await store.transaction((tx) => deleteRowsOfDeletedOwners(tx, clock.now()))
    const after = await all()
    most = Math.max(most, [...before].filter(([key, row]) => after.get(key) !== row).length)
    before = after
  }
  return most
}

describe('the deletion of an account', () => {
  test('deletes what links to one of its rows in batches', async () => {
    const testApp = await setUp()
    const { ada, store } = testApp
    const author = await addAuthor(store, ada.id)
    await addBooks(store, ada.id, author, 1_500)
    expect(await deleteAccount(testApp, ada.id)).toBe(300)
    expect([await rowsOf(testApp, 'authors'), await rowsOf(testApp, 'books')]).toEqual([[], []])
    await expectConsistentCounts(testApp)
  })

  test('deletes or clears what somebody else has linked to its rows in batches', async () => {
    const testApp = await setUp()
    const { ada, eve, root, store, clock } = testApp
    const [hers, other] = [await addAuthor(store, ada.id), await addAuthor(store, eve.id)]
    await addBooks(store, root.id, hers, 700)
    const [favourite = ''] = await addBooks(store, ada.id, hers, 1)
    const sequels = await addBooks(store, root.id, other, 700, () => favourite)
    clock.advance(60_000)
    expect(await deleteAccount(testApp, ada.id)).toBe(300)
    expect((await rowsOf(testApp, 'authors')).map(({ id }) => id)).toEqual([other])
    expect(await rowsOf(testApp, 'books')).toEqual(
      sequels.toSorted().map((id) => ({ id, author_id: other, sequel_of_id: null, updated_at: clock.now() })),
    )
    await expectConsistentCounts(testApp)
  })

  test('deletes rows that link to each other in a circle, and to themselves', async () => {
    const testApp = await setUp()
    const { ada, root, store } = testApp
    const author = await addAuthor(store, ada.id)
    const books = await addBooks(store, ada.id, author, 900, chained)
    for (const favourite of books.slice(0, 5)) await addAuthor(store, ada.id, favourite)
    const admirer = await addAuthor(store, root.id, books[4])
    await sql`update authors set favourite_id = ${books[0]} where id = ${author}`.execute(store.db)
    await sql`update books set sequel_of_id = ${books[899]} where id = ${books[0]}`.execute(store.db)
    expect(await deleteAccount(testApp, ada.id)).toBeLessThanOrEqual(300)
    expect(await rowsOf(testApp, 'authors')).toMatchObject([{ id: admirer, favourite_id: null }])
    expect(await rowsOf(testApp, 'books')).toEqual([])
    await expectConsistentCounts(testApp)
  })

  test('has one hint, and others only for rows of others that have changed', async () => {
    const testApp = await setUp()
    const { ada, root, store } = testApp
    const author = await addAuthor(store, ada.id)
    const [favourite = ''] = await addBooks(store, ada.id, author, 400, chained)
    for (const sample of anyResource) await addRow(ada, sample)
    const [admirer, lost] = [await addAuthor(store, root.id, favourite), (await addBooks(store, root.id, author, 1))[0]]
    await store.db.deleteFrom('changes').execute()
    await deleteAccount(testApp, ada.id)
    await testApp.housekeeping.runAll()
    const changes = await store.db.selectFrom('changes').select(['resource', 'row_id']).execute()
    const hints = changes.filter(({ resource }) => resource !== 'sessions')
    expect(new Set(hints.map(({ resource, row_id }) => `${resource} ${row_id}`))).toEqual(
      new Set([`users ${ada.id}`, `authors ${admirer}`, `books ${lost}`]),
    )
  })
})

describe('the deletion of rows', () => {
  const rules = createResourceRules({ table: booksTable, name: 'Book' })

  const actorOf = ({ context }: TestApp, { token }: Person) =>
    resume(context, token, { ip: '127.0.0.1', userAgent: undefined })

  test('that link in a chain takes few statements, and each of them deletes few rows', async () => {
    const testApp = await setUp()
    const { ada, store, context } = testApp
    const author = await addAuthor(store, ada.id)
    const [first = ''] = await addBooks(store, ada.id, author, 1_001, chained)
    const actor = await actorOf(testApp, ada)
    const queries = recordTransactions(store)
    await rules.delete(context, actor, first, undefined)
    expect(await rowsOf(testApp, 'books')).toEqual([])
    const counts = queries.map(({ rows }) => rows).toSorted((one, other) => other - one)
    expect(counts.length).toBeLessThan(30)
    // One statement finds and locks all of them.
    expect(counts.slice(0, 2)).toEqual([1_000, 100])
    await expectConsistentCounts(testApp)
  })

  test('that link in a chain of more than 1,000 is refused', async () => {
    const testApp = await setUp()
    const { ada, store, context } = testApp
    const author = await addAuthor(store, ada.id)
    const [first = ''] = await addBooks(store, ada.id, author, 1_002, chained)
    const deletion = rules.delete(context, await actorOf(testApp, ada), first, undefined)
    await expect(deletion).rejects.toThrow('More than 1,000 rows link to this book: delete some of them first')
    expect(await rowsOf(testApp, 'books')).toHaveLength(1_002)
  })

  test('by one request deletes at most 10,000 rows that link to them', async () => {
    const testApp = await setUp()
    const { ada, store, context } = testApp
    const author = await addAuthor(store, ada.id)
    const firsts: string[] = []
    for (let count = 0; count < 12; count += 1)
      firsts.push((await addBooks(store, ada.id, author, 901, starred))[0] ?? '')
    const actor = await actorOf(testApp, ada)
    const { signal } = new AbortController()
    const detail = 'More than 10,000 rows link to these books: delete fewer at once'
    const some = await rules.deleteMany(context, actor, { ids: firsts }, signal)
    expect(some).toEqual({ changed: 11, unchanged: 0, refused: [{ id: firsts[11], detail }] })
    expect(await rowsOf(testApp, 'books')).toHaveLength(901)
    const again = await rules.deleteMany(context, actor, { ids: firsts.slice(11) }, signal)
    expect(again).toEqual({ changed: 1, unchanged: 0, refused: [] })
    await expectConsistentCounts(testApp)
  })
})
