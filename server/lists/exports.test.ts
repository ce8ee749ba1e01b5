import { expect, test } from 'vitest'
import { streamUsers } from '../users/queries.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { createTestDatabase } from '../test/databases.ts'
import { addUsers, idOf } from '../test/many-users.ts'

const MANY = 6_000

async function setUp() {
  const testApp = await buildTestApp({}, { database: await createTestDatabase({ shared: true }) })
  const { token } = await testApp.newUser({ is_superuser: true })
  const full_name = 'A name that makes the row longer '.repeat(7)
  await addUsers(testApp, MANY, (index) => ({ full_name, created_at: index }))
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
