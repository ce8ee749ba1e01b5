import { expect, test } from 'vitest'
import { BULK_ROWS, insertUsers } from '../cli/demo/bulk.ts'
import { streamUsers } from '../users/queries.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { createTestDatabase } from '../test/databases.ts'

const MANY = 6_000

const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

/** An app with many users, and a superuser's token. */
async function setUp() {
  const testApp = await buildTestApp({}, { database: await createTestDatabase({ shared: true }) })
  const { token } = await testApp.newUser({ is_superuser: true })
  for (let from = 0; from < MANY; from += BULK_ROWS) {
    const rows = Array.from({ length: BULK_ROWS }, (_, offset) => ({
      id: idOf(from + offset),
      email: `${from + offset}@example.com`,
      email_key: `${from + offset}@example.com`,
      full_name: 'A name that makes the row longer '.repeat(7),
      password_hash: 'none',
      is_active: true,
      is_superuser: false,
      created_at: from + offset,
    }))
    await testApp.store.transaction((tx) => insertUsers(tx, rows))
  }
  return { ...testApp, token }
}

test('an export is a snapshot of a list that changes meanwhile', async () => {
  const { request, token, newUser, store } = await setUp()
  const ids: string[] = []
  const readAll: Parameters<typeof store.read<void>>[0] = async (db) => {
    for await (const rows of streamUsers(db, {}, 0, 500)) {
      if (ids.length === 0) {
        await newUser({ email: 'zz-new@example.com' })
        for (const index of [0, 2_000, MANY - 1]) {
          await request('DELETE', `/users/${idOf(index)}`, { token })
          const json = { email: `new-${index}@example.com` }
          await request('PATCH', `/users/${idOf(index + (index ? -1 : 1))}`, { token, json })
        }
      }
      ids.push(...rows.map(({ id }) => id))
    }
  }
  await store.read(readAll, { timeoutMs: 60_000 })
  expect(ids.slice(1)).toEqual(Array.from({ length: MANY }, (_, index) => idOf(MANY - 1 - index)))
})

test('rows without search forms are found by the first search', async () => {
  const { request, store, clock, newUser } = await buildTestApp()
  const { token, id } = await newUser({ is_superuser: true })
  // As inserted by a server of an earlier version.
  const users = Array.from({ length: 450 }, (_, index) => ({
    id: idOf(index),
    email: `Öld.${index}@example.com`,
    email_key: `öld.${index}@example.com`,
    full_name: index % 2 ? 'Ünal' : null,
    password_hash: 'none',
    is_active: 1 as const,
    is_superuser: 0 as const,
    created_at: clock.now(),
  }))
  await store.db.insertInto('users').values(users).execute()
  const items = users.map((user) => ({
    id: user.id,
    owner_id: id,
    title: `Öld ${user.email}`,
    created_at: clock.now(),
  }))
  await store.db.insertInto('items').values(items).execute()
  const count = async (path: string) => (await request('GET', path, { token })).json<{ count: number }>().count
  expect(await count('/users/?q=old')).toBe(450)
  expect(await count('/users/?q=unal')).toBe(225)
  expect(await count('/items/?q=old')).toBe(450)
  const { data } = (await request('GET', '/items/?sort=title&limit=1', { token })).json<{ data: { title: string }[] }>()
  expect(data[0]?.title).toBe('Öld Öld.0@example.com')
})
