import { expect, test, vi } from 'vitest'
import type { Store } from '../store/store.ts'
import { buildTestApp } from './build-test-app.ts'

/** The statements that reach the database from now on. */
function recordQueries(store: Store): string[] {
  const queries: string[] = []
  const executor = store.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  vi.spyOn(executor, 'executeQuery').mockImplementation((query, ...rest) => {
    queries.push(query.sql)
    return execute(query, ...rest)
  })
  return queries
}

test('a page of a list is one query beside the one for the session, however far down', async () => {
  const { store, request, newUser, newItem } = await buildTestApp()
  const root = await newUser({ is_superuser: true })
  const ada = await newUser()
  await newItem(ada)
  const queries = recordQueries(store)
  for (const [path, token] of [
    ['/items/', root.token],
    ['/items/', ada.token],
    ['/users/', root.token],
  ] as const) {
    for (const skip of [0, 50, 499_950]) {
      queries.length = 0
      expect((await request('GET', `${path}?skip=${skip}&limit=50`, { token })).statusCode).toBe(200)
      expect([path, skip, queries]).toEqual([path, skip, [expect.stringContaining('"sessions"'), expect.anything()]])
    }
  }
})

test('when a session was last used is written at most once a minute', async () => {
  const { store, request, newUser, clock } = await buildTestApp()
  const { token } = await newUser()
  const queries = recordQueries(store)
  for (let second = 0; second < 125; second += 1) {
    await request('GET', '/users/me', { token })
    clock.advance(1000)
  }
  expect(queries.filter((query) => query.startsWith('update'))).toHaveLength(2)
})
