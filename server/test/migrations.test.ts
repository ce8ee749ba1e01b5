import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestApp, nobody } from './build-test-app.ts'
import { isSqlite } from '../store/dialect.ts'
import type { Store } from '../store/store.ts'
import { createEarlierDatabase, createTestDatabase } from './databases.ts'

const idOf = (number: number) => `${number}0000000-0000-4000-8000-000000000000`
const device = { ip: '127.0.0.1', userAgent: undefined }

test('items of the previous version, and those that its servers still write, have no time of a change', async () => {
  const owner_id = nobody
  const itemOf = (number: number) => ({
    id: idOf(number),
    owner_id,
    title: `Item ${number}`,
    description: null,
    created_at: number,
    title_search: `item ${number}`,
    description_search: null,
  })
  const database = await createEarlierDatabase('0006-people', async (db) => {
    const email = 'ada@example.com'
    const account = { id: owner_id, email, email_key: email, full_name: null, password_hash: 'none', created_at: 0 }
    await db
      .insertInto('users')
      .values({ ...account, is_active: 1, is_superuser: 0 })
      .execute()
    await db.insertInto('item_counts').values({ owner_id, value: 3 }).execute()
    await db
      .insertInto('items')
      .values([itemOf(1), itemOf(2)])
      .execute()
  })

  const { store, domain, request } = await buildTestApp({}, { database })
  const token = await domain.sessions.begin(store.db, owner_id, device)
  const lastEdited = async () => {
    const { items } = (await request('GET', '/users/me/overview', { token })).json<{
      items: { last_edited: { item: { title: string }; at: string } | null }
    }>()
    return items.last_edited && [items.last_edited.item.title, Date.parse(items.last_edited.at)]
  }
  expect(await lastEdited()).toEqual(['Item 2', 2])

  // As written by a server of the previous version.
  await store.db.insertInto('items').values(itemOf(3)).execute()
  await store.db
    .updateTable('items')
    .set({ title: 'Changed', title_search: 'changed' })
    .where('id', '=', idOf(1))
    .execute()
  expect(await lastEdited()).toEqual(['Item 3', 3])
  const { rows } = await sql`select updated_at from items`.execute(store.db)
  expect(rows).toEqual([1, 2, 3].map(() => ({ updated_at: null })))

  expect((await request('PUT', `/items/${idOf(1)}`, { token, json: { title: 'New' } })).statusCode).toBe(200)
  expect(await lastEdited()).toEqual(['New', Date.UTC(2026, 0, 1)])
})

test('on PostgreSQL, a search index of the previous version is replaced by one over all columns', async () => {
  const current = await searchIndexes(await (await createTestDatabase()).open())
  const database = await createEarlierDatabase('0007-last-edited', async (db) => {
    if (isSqlite(db)) return
    await sql`drop index items_search`.execute(db)
    await sql`create index items_search on items
      using gin (title_search gin_trgm_ops, description_search gin_trgm_ops)`.execute(db)
  })
  expect(await searchIndexes(await database.open())).toEqual(current)
})

async function searchIndexes({ db }: Store): Promise<unknown> {
  const query = isSqlite(db)
    ? sql`select name, sql from sqlite_master where name like '%search%' order by name`
    : sql`select indexname, indexdef from pg_indexes
        where indexname like '%search%' and schemaname = current_schema() order by indexname`
  return (await query.execute(db)).rows
}

test('a migration that waits for a table lets others read it meanwhile', async () => {
  const database = await createEarlierDatabase('0004-plain-lists', async () => {})
  // SQLite has no locks of tables.
  if (database.url === undefined) return
  const [reader, other] = [new Client(database.url), new Client(database.url)]
  await Promise.all([reader.connect(), other.connect()])
  onTestFinished(async () => void (await Promise.all([reader.end(), other.end()])))
  await reader.query('begin')
  await reader.query('select 1 from users')
  const opening = database.open()
  const waiting = `select 1 from pg_locks where not granted and relation = 'users'::regclass`
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
  await other.query('select 1 from users')
  await reader.query('commit')
  await (await opening).close()
})
