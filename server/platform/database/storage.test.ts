import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { DatabaseError, type Pool } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStore, takeAccountsLock } from './store.ts'
import { withoutDeadConnections } from './postgres.ts'
import { sqliteDialect } from './sqlite.ts'
import { openSqliteReader } from './sqlite-reader.ts'
import { statusAndBody, buildTestApp } from '../../test/build-test-app.ts'
import { buildTestAppWith } from '../../test/people.ts'
import { newFolder } from '../../test/new-folder.ts'

const unavailable = [503, { detail: 'Service temporarily unavailable' }]
const minute = 60_000

// These tests are about SQLite.
const inMemory = { open: () => openStore(sqliteDialect(':memory:')) }

describe('SQLite', () => {
  test('that is full causes 503 without partial changes, can be read, and recovers', async () => {
    const { newUser, store, log } = await buildTestApp({}, { database: inMemory })
    log.expectErrors()
    const root = await newUser({ is_superuser: true })
    const full_name = 'y'.repeat(255)
    const create = () => {
      const emails = Array.from({ length: 20 }, (_, index) => `ada${created}.${index}@example.com`)
      const rows = emails.map((email) => ({ email, full_name }))
      return root.post('/users/import', { rows })
    }
    let created = 0
    // SQLite raises a limit below the current size to the current size.
    await sql`pragma max_page_count = 1`.execute(store.db)
    let response = await create()
    while (response.statusCode === 200 && created < 4) {
      created += 1
      response = await create()
    }
    expect(statusAndBody(response)).toEqual(unavailable)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    const list = (await root.get('/users/?role=user')).json<{ data: unknown[]; count: number }>()
    expect([list.data.length, list.count]).toEqual([20 * created, 20 * created])
    await sql`pragma max_page_count = 1000000`.execute(store.db)
    expect((await create()).statusCode).toBe(200)
  })

  test('that is read-only can be read, even if a session’s last use must be updated', async () => {
    const { newUser, store, clock, log } = await buildTestApp({}, { database: inMemory })
    log.expectErrors()
    const ada = await newUser()
    await sql`pragma query_only = on`.execute(store.db)
    clock.advance(2 * minute)
    expect((await ada.get('/users/me')).statusCode).toBe(200)
    expect(statusAndBody(await ada.patch('/users/me', { full_name: 'x' }))).toEqual(unavailable)
    await sql`pragma query_only = off`.execute(store.db)
    expect((await ada.patch('/users/me', { full_name: 'x' })).statusCode).toBe(200)
  })

  const newFile = () => join(newFolder(), 'steward.db')

  test('is read in another process also under node --watch, whose messages use the same channel', async () => {
    vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const file = newFile()
    new Database(file).exec('create table jobs (id text); insert into jobs values (1)').close()
    const reader = await openSqliteReader(file)
    for (let time = 0; time < 3; time += 1)
      expect(await reader.db.selectFrom('jobs').selectAll().execute()).toHaveLength(1)
    await reader.end()
  })

  test.each([
    ['missing', (file: string) => rmSync(file)],
    ['empty', (file: string) => writeFileSync(file, '')],
  ])('whose database file is %s, but not its log, is not opened, and the log is kept', async (_what, damage) => {
    const file = newFile()
    const store = await openStore(sqliteDialect(file))
    const log = readFileSync(`${file}-wal`)
    await store.close()
    damage(file)
    writeFileSync(`${file}-wal`, log)
    await expect(openStore(sqliteDialect(file))).rejects.toThrow('is missing or empty, but its write-ahead log is not')
    expect(readFileSync(`${file}-wal`)).toEqual(log)
  })

  test('that another process has locked can be read, while writes wait', async () => {
    const file = newFile()
    const store = await openStore(sqliteDialect(file))
    const other = new Database(file)
    onTestFinished(async () => {
      other.close()
      await store.close()
    })
    other.exec('begin immediate')
    let written = false
    // The reads start while the write waits.
    const writing = store.transaction(takeAccountsLock).then(() => (written = true))
    for (let reads = 0; reads < 3; reads += 1)
      expect(await store.db.selectFrom('locks').select('taken').execute()).toEqual([{ taken: 0 }])
    expect(written).toBe(false)
    other.exec('rollback')
    await writing
    expect(await store.db.selectFrom('locks').select('taken').execute()).toEqual([{ taken: 1 }])
  })

  test('that another process has locked for five seconds causes 503 for changes, while lists are served', async () => {
    const file = newFile()
    const { app, newUser, log } = await buildTestApp({}, { database: { open: () => openStore(sqliteDialect(file)) } })
    log.expectErrors()
    const ada = await newUser({ is_superuser: true })
    const other = new Database(file)
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    const writing = ada.patch('/users/me', { full_name: 'x' })
    const ready = app.inject('/readyz')
    for (let reads = 0; reads < 3; reads += 1) expect((await ada.get('/users/')).statusCode).toBe(200)
    const refused = await writing
    expect((await ada.get('/users/me')).json()).toMatchObject({ full_name: null })
    expect(statusAndBody(refused)).toEqual(unavailable)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ready).statusCode).toBe(503)
    other.exec('rollback')
    expect((await ada.patch('/users/me', { full_name: 'x' })).statusCode).toBe(200)
    expect((await ada.get('/users/me')).json()).toMatchObject({ full_name: 'x' })
  })

  test('that another process has locked does not delay requests that update a session’s last use', async () => {
    const file = newFile()
    const database = { open: () => openStore(sqliteDialect(file)) }
    const { store, clock, ada } = await buildTestAppWith({ ada: {} }, {}, { database })
    clock.advance(2 * minute)
    const other = new Database(file)
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    let waiting = true
    // The write started to wait before the reads. If they waited for the lock, it would time out first.
    const writing = store.transaction(takeAccountsLock).finally(() => (waiting = false))
    for (let reads = 0; reads < 3; reads += 1) expect((await ada.get('/users/me')).statusCode).toBe(200)
    expect(waiting).toBe(true)
    other.exec('rollback')
    await writing
    const used = () => store.db.selectFrom('sessions').select('last_used_at').executeTakeFirst()
    await expect.poll(used).toEqual({ last_used_at: clock.now() })
  })
})

describe('a connection to PostgreSQL', () => {
  function poolWith(failure: Error) {
    const queries: string[] = []
    const released: unknown[] = []
    const client = {
      query: async (text: string) => {
        queries.push(text)
        throw failure
      },
      release: (discard: unknown) => released.push(discard),
    }
    const pool = withoutDeadConnections({ connect: async () => client, options: {} } as unknown as Pool)
    return { pool, queries, released }
  }

  test('whose query got no response is not used again', async () => {
    const failure = new Error('Query read timeout')
    const { pool, queries, released } = poolWith(failure)
    const client = await pool.connect()
    await expect(client.query('select 1', [])).rejects.toBe(failure)
    await expect(client.query('rollback', [])).rejects.toBe(failure)
    client.release()
    expect([queries, released]).toEqual([['select 1'], [true]])
  })

  test('that responded with an error stays in use', async () => {
    const { pool, queries, released } = poolWith(new DatabaseError('duplicate key', 0, 'error'))
    const client = await pool.connect()
    await expect(client.query('insert', [])).rejects.toThrow('duplicate key')
    await expect(client.query('rollback', [])).rejects.toThrow('duplicate key')
    client.release(false)
    expect([queries, released]).toEqual([['insert', 'rollback'], [false]])
  })
})
