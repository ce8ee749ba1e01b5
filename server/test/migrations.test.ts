import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isSqlite } from '../platform/database/dialect.ts'
import type { Store } from '../platform/database/store.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import { beginSession } from '../sessions/rules.ts'
import { buildTestApp, newPassword, nobody, tokenIn } from './build-test-app.ts'
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

  const { store, context, request } = await buildTestApp({}, { database })
  const token = await beginSession(context, store.db, { userId: owner_id, method: 'password' }, device)
  const lastEdited = async () => {
    const { items } = (await request('GET', '/users/me/overview', { token })).json<{
      items: { recently_edited: { item: { title: string }; at: string }[] }
    }>()
    const [last] = items.recently_edited
    return last && [last.item.title, Date.parse(last.at)]
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

describe('links of servers of the previous version, which run beside this one,', () => {
  const hour = 3_600_000

  /** The writes of such a server. */
  async function stage() {
    const testApp = await buildTestApp()
    const { store, clock, newUser, request } = testApp
    const ada = await newUser()
    const run = (statement: RawBuilder<unknown>) => statement.execute(store.db)
    const created = clock.now()
    return {
      ...testApp,
      ada,
      saveReset: (token: string) =>
        run(sql`insert into reset_tokens (user_id, token_hash, created_at) values (${ada.id}, ${hashToken(token)}, ${created})
          on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`),
      saveInvitation: (mailId: string, shown: string | null) =>
        run(sql`insert into invitations (user_id, mail_id, mailed_hash, told_hash, created_at)
          values (${ada.id}, ${mailId}, null, ${shown && hashToken(shown)}, ${created})
          on conflict (user_id) do update set mail_id = excluded.mail_id, mailed_hash = null,
            told_hash = excluded.told_hash, created_at = excluded.created_at`),
      sendInvitation: (token: string) => run(sql`update invitations set mailed_hash = ${hashToken(token)}`),
      run,
      reset: async (token: string) =>
        (await request('POST', '/reset-password/', { json: { token, new_password: newPassword } })).statusCode,
      accept: async (token: string) =>
        (await request('POST', '/accept-invitation', { json: { token, password: newPassword } })).statusCode,
      rowsOf: async (table: 'reset_tokens' | 'invitations') =>
        (await run(sql`select user_id from ${sql.table(table)}`)).rows.length,
    }
  }

  test('work once, also for resets that were requested again', async () => {
    const { saveReset, reset, rowsOf } = await stage()
    await saveReset('first')
    await saveReset('second')
    expect(await reset('first')).toBe(400)
    expect(await reset('second')).toBe(200)
    expect(await rowsOf('reset_tokens')).toBe(0)
    expect(await reset('second')).toBe(400)
  })

  test('expire', async () => {
    const { saveReset, reset, clock } = await stage()
    await saveReset('late')
    clock.advance(hour)
    expect(await reset('late')).toBe(400)
  })

  test('are replaced by links of this version', async () => {
    const { saveReset, reset, rowsOf, request, deliverMails, ada } = await stage()
    await saveReset('old')
    await request('POST', `/password-recovery/${ada.email}`)
    const token = tokenIn((await deliverMails())[0])
    expect(await rowsOf('reset_tokens')).toBe(0)
    expect(await reset('old')).toBe(400)
    expect(await reset(token)).toBe(200)
  })

  test('accept invitations, by the link of the mail or the shown one, until one is used', async () => {
    const { saveInvitation, sendInvitation, accept, rowsOf } = await stage()
    await saveInvitation(randomUUID(), 'shown first')
    await saveInvitation(randomUUID(), 'shown')
    await sendInvitation('mailed')
    expect(await accept('shown first')).toBe(400)
    expect(await accept('mailed')).toBe(200)
    expect(await rowsOf('invitations')).toBe(0)
    expect(await accept('shown')).toBe(400)
  })

  test.each([
    ['password', sql`password_hash = 'other'`, 400],
    ['address', sql`email_key = 'other@example.com'`, 400],
    ['name', sql`full_name = 'Other'`, 200],
  ])('and of this one end when the other server changes the %s', async (_what, change, status) => {
    const { request, deliverMails, reset, run, ada } = await stage()
    await request('POST', `/password-recovery/${ada.email}`)
    const token = tokenIn((await deliverMails())[0])
    await run(sql`update users set ${change} where id = ${ada.id}`)
    expect(await reset(token)).toBe(status)
  })
})

test('links that were mailed before an update work', async () => {
  const at = Date.UTC(2026, 0, 1)
  const user = {
    email: 'a@b.cd',
    full_name: null,
    password_hash: '',
    is_active: 1,
    is_superuser: 0,
    created_at: at,
  } as const
  const database = await createEarlierDatabase('0010-mail-queue', async (db) => {
    for (const number of [1, 2]) {
      const key = `${number}@b.cd`
      await db
        .insertInto('users')
        .values({ ...user, id: idOf(number), email: key, email_key: key })
        .execute()
    }
    await sql`insert into reset_tokens values (${idOf(1)}, ${hashToken('reset')}, ${at})`.execute(db)
    await sql`insert into invitations (user_id, mail_id, mailed_hash, told_hash, created_at)
      values (${idOf(2)}, ${nobody}, ${hashToken('mailed')}, ${hashToken('shown')}, ${at})`.execute(db)
  })
  const { request } = await buildTestApp({}, { database })
  const reset = { token: 'reset', new_password: newPassword }
  expect((await request('POST', '/reset-password/', { json: reset })).statusCode).toBe(200)
  for (const [token, status] of [
    ['shown', 200],
    ['mailed', 400],
  ] as const) {
    const json = { token, password: newPassword }
    expect((await request('POST', '/accept-invitation', { json })).statusCode).toBe(status)
  }
})

test('addresses that servers of the previous version change are not confirmed', async () => {
  const { store, newUser } = await buildTestApp()
  const [ada, ben] = [await newUser(), await newUser()]
  await sql`update users set email = 'ADA@b.cd', email_key = 'ada@b.cd' where id = ${ada.id}`.execute(store.db)
  await sql`update users set email_key = email_key where id = ${ben.id}`.execute(store.db)
  const { rows } = await sql<{ id: string }>`
    select id from users where email_confirmed_at is not null`.execute(store.db)
  expect(rows).toEqual([{ id: ben.id }])
})

test('invitations by servers of the previous version, and passwords that they set, count', async () => {
  const database = await createEarlierDatabase('0011-one-time-tokens', async (db) => {
    const user = { full_name: null, is_active: 1, is_superuser: 0, created_at: 0 } as const
    for (const [number, password_hash] of [
      [1, ''],
      [2, 'x'],
    ] as const) {
      const email = `${number}@b.cd`
      await db
        .insertInto('users')
        .values({ ...user, id: idOf(number), email, email_key: email, password_hash })
        .execute()
    }
  })
  const { store, newUser } = await buildTestApp({}, { database })
  const invited = async () => {
    const { rows } = await sql<{ id: string }>`select id from users where is_invited = 1 order by id`.execute(store.db)
    return rows.map(({ id }) => id)
  }
  expect(await invited()).toEqual([idOf(1)])
  await sql`insert into users (id, email, email_key, password_hash, is_active, is_superuser, created_at)
    values (${idOf(3)}, 'c@b.cd', 'c@b.cd', '', 1, 0, 0)`.execute(store.db)
  expect(await invited()).toEqual([idOf(1), idOf(3)])
  await sql`update users set password_hash = 'x' where id = ${idOf(1)}`.execute(store.db)
  await newUser()
  expect(await invited()).toEqual([idOf(3)])
})

test('sessions of the previous version, and those that its servers still begin, count as proved at their beginning', async () => {
  const minute = 60_000
  const now = Date.UTC(2026, 0, 1)
  const insert = (run: Store['db'], number: number, ageMs: number) =>
    sql`insert into sessions (id, token_hash, user_id, created_at, last_used_at)
      values (${idOf(number)}, ${hashToken(`token ${number}`)}, ${nobody}, ${now - ageMs}, ${now})`.execute(run)
  const database = await createEarlierDatabase('0012-invited', async (db) => {
    const email = 'a@b.cd'
    const flags = { is_active: 1, is_superuser: 0, created_at: 0 } as const
    await db
      .insertInto('users')
      .values({ id: nobody, email, email_key: email, full_name: null, password_hash: 'x', ...flags })
      .execute()
    await insert(db, 1, 10 * minute)
    await insert(db, 2, 9 * minute)
  })
  const { store, request } = await buildTestApp({}, { database })
  await insert(store.db, 3, 10 * minute)
  await insert(store.db, 4, 9 * minute)
  const statusOf = async (number: number) =>
    (await request('POST', '/users/me/passkeys/options', { token: `token ${number}` })).statusCode
  expect([await statusOf(1), await statusOf(2), await statusOf(3), await statusOf(4)]).toEqual([423, 200, 423, 200])
})
