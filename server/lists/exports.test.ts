import { expect, test } from 'vitest'
import { BULK_ROWS, insertUsers } from '../../scripts/seed/bulk.ts'
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
  const { as, token, newUser, store } = await setUp()
  const ids: string[] = []
  const readAll: Parameters<typeof store.read<void>>[0] = async (db) => {
    for await (const rows of streamUsers(db, {}, 0, 500)) {
      if (ids.length === 0) {
        await newUser({ email: 'zz-new@example.com' })
        for (const index of [0, 2_000, MANY - 1]) {
          await as(token).delete(`/users/${idOf(index)}`)
          const json = { email: `new-${index}@example.com` }
          await as(token).patch(`/users/${idOf(index + (index ? -1 : 1))}`, json)
        }
      }
      ids.push(...rows.map(({ id }) => id))
    }
  }
  await store.read(readAll, { timeoutMs: 60_000 })
  expect(ids.slice(1)).toEqual(Array.from({ length: MANY }, (_, index) => idOf(MANY - 1 - index)))
})
