import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isSqlite } from '../platform/database/dialect.ts'
import { openSqliteReader } from '../platform/database/sqlite-reader.ts'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { openStore, type Store, type Tx } from '../platform/database/store.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { openSqlite, sqliteFile } from '../platform/database/open.ts'
import { createTestDatabase } from './databases.ts'
import { iterationsDuring } from './iterations.ts'
import { newFolder } from './new-folder.ts'

async function openTestStore(): Promise<Store> {
  const store = await (await createTestDatabase()).open()
  onTestFinished(() => store.close())
  return store
}

const addJob = (tx: Tx, id: string) => tx.insertInto('jobs').values({ id, due_at: 0 }).execute()

const jobsOf = async ({ db }: Store) => (await db.selectFrom('jobs').select('id').execute()).map(({ id }) => id)

test('a query beside its own transaction is refused at once, and the transaction is rolled back', async () => {
  const store = await openTestStore()
  const besides: ((tx: Tx) => Promise<unknown>)[] = [
    () => jobsOf(store),
    () => store.transaction((inner) => addJob(inner, 'inner')),
    async () => {
      await nextIteration()
      await Promise.all([jobsOf(store), jobsOf(store)])
    },
  ]
  for (const beside of besides) {
    const work = store.transaction(async (tx) => {
      await addJob(tx, 'outer')
      await beside(tx)
    })
    await expect(work).rejects.toThrow('Inside of a transaction, queries must run on the transaction')
  }
  expect(await jobsOf(store)).toEqual([])
})

test('work that a transaction has started may use the database after its end', async () => {
  const store = await openTestStore()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let later: Promise<string[]> | undefined
  await store.transaction(async (tx) => {
    await addJob(tx, 'one')
    later = ended.then(() => jobsOf(store))
  })
  end()
  expect(await later).toEqual(['one'])
})

test('a transaction that does not end is rolled back after 30 seconds, and its late work changes nothing', async () => {
  const store = await openTestStore()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let late: Promise<unknown> | undefined
  const stuck = store.transaction(async (tx) => {
    await addJob(tx, 'early')
    begin()
    late = waiting.then(() => addJob(tx, 'late'))
    await late
  })
  await begun
  vi.advanceTimersByTime(29_999)
  const failure = stuck.catch((error: unknown) => error)
  vi.advanceTimersByTime(1)
  expect(isUnavailable(await failure)).toBe(true)
  goOn()
  await expect(late).rejects.toThrow(/^(The transaction has ended|Transaction is already rolled back)$/)
  expect(await jobsOf(store)).toEqual([])
})

test('a long transaction gives way to other work between its statements', async () => {
  const store = await openStore(sqliteDialect(':memory:'))
  onTestFinished(() => store.close())
  expect(isSqlite(store.db)).toBe(true)
  const during = await store.transaction((tx) =>
    iterationsDuring(async () => {
      for (let statements = 0; statements < 10; statements += 1) {
        const begun = performance.now()
        while (performance.now() - begun < 11);
        await addJob(tx, `${statements}`)
      }
    }),
  )
  expect(during).toBeGreaterThanOrEqual(10)
})

test('queries at the same time on one reader of SQLite are all answered, but none waits for a stream', async () => {
  const dataDir = newFolder()
  const store = await openSqlite({ dataDir })
  onTestFinished(() => store.close())
  await store.transaction((tx) => addJob(tx, 'one'))
  const reader = await openSqliteReader(sqliteFile({ dataDir }))
  onTestFinished(() => reader.end())
  const jobs = reader.db.selectFrom('jobs').select('id').execute()
  const locks = reader.db.selectFrom('locks').select('name').where('name', '=', 'accounts').execute()
  expect(await Promise.all([jobs, locks])).toEqual([[{ id: 'one' }], [{ name: 'accounts' }]])

  const streamed: unknown[] = []
  for await (const row of reader.db.selectFrom('jobs').select('id').stream(1)) {
    streamed.push(row)
    const beside = reader.db.selectFrom('locks').select('name').execute()
    await expect(beside).rejects.toThrow('A reader takes no other query while it streams')
  }
  expect(streamed).toEqual([{ id: 'one' }])
  expect(await reader.db.selectFrom('jobs').select('id').execute()).toEqual([{ id: 'one' }])
})
