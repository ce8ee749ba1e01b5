import { execFile } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from '../platform/database/open.ts'
import { createReaders } from '../platform/database/readers.ts'
import type { Db, Store } from '../platform/database/store.ts'
import { isUnavailable, ReadTimeout } from '../platform/database/unavailable.ts'
import { createFairQueue } from '../platform/lib/fair-queue.ts'
import { createReads, type LongRead } from '../platform/reads.ts'
import { anyResource } from './any-resource.ts'
import { buildTestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { createTestDatabase, endless, postgresUrl } from './databases.ts'
import { newFolder } from './new-folder.ts'

async function openStore() {
  const store = await (await createTestDatabase({ shared: true })).open()
  onTestFinished(() => store.close())
  return store
}

describe('a read that does not stop', () => {
  test('is ended, and uses no more time of the database', async () => {
    const store = await openStore()
    await expect(store.read(endless, { timeoutMs: 200 })).rejects.toThrow(ReadTimeout)
    const leaving = new AbortController()
    const left = store.read(endless, { signal: leaving.signal })
    setTimeout(() => leaving.abort(), 100)
    await expect(left).rejects.toThrow(ReadTimeout)
    expect((await store.read((db) => sql<{ one: number }>`select 1 as one`.execute(db))).rows).toEqual([{ one: 1 }])
    if (postgresUrl === undefined) return
    const running = () =>
      sql`select pid from pg_stat_activity where state = 'active' and query like '%/* endless */%'
        and datname = current_database() and pid <> pg_backend_pid()`.execute(store.db)
    await expect.poll(async () => (await running()).rows).toEqual([])
  })

  test('does not delay the stop', async () => {
    const store = await (await createTestDatabase({ shared: true })).open()
    const reads = Array.from({ length: 3 }, () => store.read(endless))
    await store.read((db) => sql`select 1`.execute(db))
    const ended = Promise.allSettled(reads)
    await store.close()
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })

  test('keeps its place until it is ended, and delays further searches of its account', async () => {
    const store = await openStore()
    let time = 0
    const { signal: stopping } = new AbortController()
    const reads = createReads({ store, now: () => time, parallel: 2, stopping, longMs: 2_000 })
    const tooLong = { kind: 'busy', message: expect.stringContaining('longer word') as string, retryAfter: 15 }
    const one = (account: string, kind: LongRead = 'search') =>
      reads.run(account, kind, (db) => sql`select 1`.execute(db))
    const stuck = [reads.run('eve', 'search', endless), reads.run('mallory', 'search', endless)]
    await expect.poll(() => reads.load()).toEqual({ running: 2, waiting: 0 })
    const waiting = one('ada')
    await expect.poll(() => reads.load()).toEqual({ running: 2, waiting: 1 })
    await Promise.all(stuck.map((read) => expect(read).rejects.toMatchObject(tooLong)))
    await waiting
    await expect(one('eve')).rejects.toMatchObject(tooLong)
    for (const kind of ['list', 'audit log', 'overview'] as const) await one('eve', kind)
    time += 15_001
    await one('eve')
  })
})

test('a reader that nobody uses is closed', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ended: number[] = []
  let opened = 0
  const readers = createReaders(async () => {
    const number = (opened += 1)
    return { db: {} as Store['db'], isUsable: () => true, end: async () => void ended.push(number) }
  })
  const use = () => readers.read(async () => {})
  await Promise.all([use(), use()])
  for (let second = 0; second < 90; second += 1) {
    await use()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect([opened, ended]).toEqual([2, [1]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ended).toEqual([1, 2])
  await use()
  expect(opened).toBe(3)
})

test('on PostgreSQL, half as many long reads run as there are connections', async () => {
  const { context } = await buildTestApp({ DATABASE_CONNECTIONS: '8' })
  const ended = Promise.withResolvers<void>()
  const reads = Array.from({ length: 5 }, (_, account) => context.reads.run(`${account}`, 'list', () => ended.promise))
  const load = postgresUrl === undefined ? { running: 2, waiting: 3 } : { running: 4, waiting: 1 }
  await expect.poll(() => context.reads.load()).toEqual(load)
  ended.resolve()
  await Promise.all(reads)
})

test('a list in its default order is read on the connection of the requests', async () => {
  const { app, root } = await buildPeopledApp()
  const read = vi.spyOn(app.store, 'read')
  const lists = ['users', ...anyResource.map(({ table }) => table)]
  for (const path of [...lists.flatMap((list) => [`/${list}/`, `/${list}/?sort=-created_at&skip=50`]), '/users/?q='])
    expect((await root.get(path)).statusCode).toBe(200)
  expect(read).not.toHaveBeenCalled()
  await root.get('/users/?sort=full_name')
  expect(read).toHaveBeenCalledTimes(1)
})

test('a server whose lists cannot be read is not ready', async () => {
  const folder = newFolder()
  const { app, newUser, log } = await buildTestApp({}, { database: { open: () => openSqlite({ dataDir: folder }) } })
  log.expectErrors()
  const ada = await newUser({ is_superuser: true })
  await rename(join(folder, 'steward.db'), join(folder, 'elsewhere.db'))
  expect((await ada.get('/users/?q=x')).statusCode).toBe(503)
  expect((await app.inject('/readyz')).statusCode).toBe(503)
})

const outOfFiles = `
  const { closeSync, openSync } = await import('node:fs')
  const { sql } = await import('kysely')
  const [store, { isUnavailable }] = await Promise.all([
    import('./server/platform/database/open.ts').then(({ openSqlite }) => openSqlite({ dataDir: process.env.DATA_DIR })),
    import('./server/platform/database/unavailable.ts'),
  ])
  const read = () => store.read((db) => sql\`select 1\`.execute(db))
  const files = []
  try {
    for (;;) files.push(openSync('/dev/null'))
  } catch {}
  const failures = []
  for (const spare of [0, 0, 1, 1, 1]) {
    for (let count = 0; count < spare; count += 1) closeSync(files.pop())
    failures.push(await read().then(() => 'read', (error) => isUnavailable(error) ? 'unavailable' : error.stack))
  }
  for (const file of files) closeSync(file)
  await read()
  await store.close()
  console.log(JSON.stringify(failures))`

test('a server without free file descriptors refuses reads, and goes on', async () => {
  const folder = newFolder()
  const command = ['-c', 'ulimit -n 60 && exec "$0" "$@"', process.execPath, '-e', outOfFiles]
  const { stdout } = await promisify(execFile)('sh', command, { env: { ...process.env, DATA_DIR: folder } })
  const failures = JSON.parse(stdout) as string[]
  expect(failures[0]).toBe('unavailable')
  expect(failures.filter((failure) => failure !== 'unavailable' && failure !== 'read')).toEqual([])
})

/** Ends the connection on which the query with this comment runs. SQLite has no connections, so it only throws. */
async function endConnectionOf(comment: string, { db }: Store): Promise<void> {
  if (postgresUrl === undefined) throw new Error('Connection terminated')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like ${`%/* ${comment} */%`} and datname = current_database() and pid <> pg_backend_pid()`.execute(db)
}

test('a stream whose connection is lost between two parts fails', async () => {
  const store = await openStore()
  async function stream(db: Db): Promise<void> {
    const statement = sql`with recursive number(value) as (select 1 union all select value + 1 from number)
      select value from number /* streamed */`.compile(db)
    let parts = 0
    for await (const { rows } of db.getExecutor().stream(statement, 1)) {
      parts += rows.length
      if (parts === 2) await endConnectionOf('streamed', store)
    }
  }
  const failure: unknown = await store.read(stream, { timeoutMs: 8_000 }).catch((error: unknown) => error)
  expect(failure).not.toBeInstanceOf(ReadTimeout)
  expect(isUnavailable(failure)).toBe(true)
})

test('a read fails when its connection is lost, even if the driver does not notice', async () => {
  const lost = new AbortController()
  const end = vi.fn<() => Promise<void>>(async () => {})
  const readers = createReaders(async () => ({ db: {} as Store['db'], isUsable: () => false, lost: lost.signal, end }))
  const read = readers.read(async () => {
    lost.abort(new Error('Connection terminated'))
    return new Promise(() => {})
  })
  await expect(read).rejects.toThrow('Connection terminated')
  expect(end).toHaveBeenCalled()
})

describe('a queue', () => {
  const busy = { kind: 'busy', retryAfter: 2 }

  test('gives each group its places, alternately', async () => {
    const queue = createFairQueue({ parallel: 3, perGroup: 2, maxWaiting: 10 })
    const order: string[] = []
    const acquire = async (group: string) => {
      const release = await queue.acquire(group)
      order.push(group)
      return release
    }
    const entered = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(acquire)
    const first = await Promise.all([entered[0], entered[1], entered[4]])
    expect(order).toEqual(['a', 'a', 'b'])
    first[2]?.()
    const leaveC = await entered[5]
    leaveC?.()
    leaveC?.()
    first[0]?.()
    await Promise.all([entered[2], entered[6]])
    expect(order.slice(3)).toEqual(['b', 'c', 'a'])
    expect(queue.load()).toEqual({ running: 3, waiting: 1 })
  })

  test('forgets who has left, and refuses who has waited too long', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const queue = createFairQueue({ parallel: 1, maxWaiting: 10, maxWaitMs: 10_000 })
    const release = await queue.acquire('a')
    const gone = new AbortController()
    const left = queue.acquire('b', gone.signal)
    const late = queue.acquire('c')
    gone.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    const [refused] = await Promise.allSettled([late, vi.advanceTimersByTimeAsync(10_000)])
    expect(refused).toMatchObject({ status: 'rejected', reason: busy })
    expect(queue.load()).toEqual({ running: 1, waiting: 0 })
    release()
    expect(queue.load()).toEqual({ running: 0, waiting: 0 })
    await expect(queue.acquire('d', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })
})
