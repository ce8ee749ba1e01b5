import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sqliteDialect } from './sqlite.ts'
import { openStore, type Store } from './store.ts'

const MIB = 1024 * 1024

async function openFile() {
  const folder = await mkdtemp(join(tmpdir(), 'steward-commits-'))
  const file = join(folder, 'steward.db')
  const store = await openStore(sqliteDialect(file))
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  return { file, store }
}

const idsIn = async (db: Kysely<never>): Promise<string[]> =>
  (await sql<{ id: string }>`select id from jobs order by id`.execute(db)).rows.map(({ id }) => id)

const ids = ({ db }: Store): Promise<string[]> => idsIn(db as unknown as Kysely<never>)

function add(store: Store, id: string, after: () => Promise<void> = async () => {}): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.insertInto('jobs').values({ id, due_at: 0 }).execute()
    await after()
  })
}

/** Violates a deferred constraint, which only the commit reports. */
function violate(store: Store): Promise<void> {
  return store.transaction(async (tx) => {
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    await sql`insert into passkey_handles (user_id, handle) values ('nobody', 'x')`.execute(tx)
  })
}

describe('concurrent transactions', () => {
  test('share a commit', async () => {
    const { file, store } = await openFile()
    const other = new Database(file, { readonly: true })
    onTestFinished(() => void other.close())
    const visible = other.prepare('select id from jobs order by id').pluck()
    const first = add(store, 'a').then(() => visible.all())
    await Promise.all(['b', 'c', 'd'].map((id) => add(store, id)))
    expect(await first).toEqual(['a', 'b', 'c', 'd'])
  })

  test('are rolled back one by one', async () => {
    const { store } = await openFile()
    const fail = () => Promise.reject(new Error('no'))
    const results = await Promise.allSettled([add(store, 'a'), add(store, 'b', fail), add(store, 'c'), add(store, 'a')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(await ids(store)).toEqual(['a', 'c'])
  })

  test('all fail with their commit, and a read beside them shows nothing of them', async () => {
    const { store } = await openFile()
    const all = Promise.allSettled([add(store, 'a'), violate(store), add(store, 'b'), ids(store)])
    const outcomes = ['failed', 'failed', 'failed', []]
    expect((await all).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual(outcomes)
    await add(store, 'c')
    expect(await ids(store)).toEqual(['c'])
  })

  test('that are rolled back end after the commit of what they have seen, and fail with it', async () => {
    const { file, store } = await openFile()
    const other = new Database(file, { readonly: true })
    onTestFinished(() => void other.close())
    const committed = other.prepare('select id from jobs').pluck()
    const [, taken] = await Promise.allSettled([add(store, 'a'), add(store, 'a').catch(() => committed.all())])
    expect(taken).toMatchObject({ value: ['a'] })
    const [, broken, refused] = await Promise.allSettled([add(store, 'b'), violate(store), add(store, 'b')])
    expect(broken).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } })
    expect(refused).toEqual(broken)
  })

  test('make a statement fail only by what they commit', async () => {
    const { store } = await openFile()
    const insert = () => store.db.insertInto('jobs').values({ id: 'a', due_at: 0 }).execute()
    const results = await Promise.allSettled([add(store, 'a'), violate(store), insert()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    await expect(insert()).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
    expect(await ids(store)).toEqual(['a'])
  })

  test('are committed when the store is closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steward-commits-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const open = () => openStore(sqliteDialect(join(folder, 'steward.db')))
    const store = await open()
    await Promise.all([add(store, 'a'), Promise.resolve().then(() => store.close())])
    const again = await open()
    expect(await ids(again)).toEqual(['a'])
    await again.close()
  })
})

describe('the write-ahead log', () => {
  const grow = (store: Store, bytes: number) =>
    store.transaction((tx) => sql`update big set text = randomblob(${sql.lit(bytes)})`.execute(tx))

  test('is cut after a checkpoint, also when it grew beside a reader', async () => {
    const { file, store } = await openFile()
    const size = async () => (await stat(`${file}-wal`)).size
    await store.transaction((tx) => sql`create table big as select zeroblob(1) as text`.execute(tx))
    const reader = new Database(file, { readonly: true })
    onTestFinished(() => void reader.close())
    reader.exec('begin; select * from jobs')
    for (let round = 0; round < 3; round += 1) await grow(store, 8 * MIB)
    expect(await size()).toBeGreaterThan(24 * MIB)
    reader.exec('rollback')
    await vi.waitFor(
      async () => {
        await grow(store, 1)
        expect(await size()).toBeLessThan(5 * MIB)
      },
      { timeout: 20_000, interval: 50 },
    )
  })

  test('is written whole when the store closes, after the thread of the checkpoints has ended by itself', async () => {
    const terminate = vi.spyOn(Worker.prototype, 'terminate')
    const { file, store } = await openFile()
    await store.transaction((tx) => sql`create table big as select zeroblob(1) as text`.execute(tx))
    await grow(store, 8 * MIB)
    await store.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(terminate).not.toHaveBeenCalled()
  })
})
