import { expect, test, vi } from 'vitest'
import type { Store } from '../store/store.ts'
import { buildTestApp } from './build-test-app.ts'

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

test('a page of a list takes one query, in addition to that for the session', async () => {
  const { store, request, newUser, newItem } = await buildTestApp()
  const root = await newUser({ is_superuser: true })
  const ada = await newUser()
  for (let i = 0; i < 60; i += 1) await newItem(ada)
  for (let i = 0; i < 60; i += 1) await newUser()
  const queries = recordQueries(store)
  for (const [path, token, table, length] of [
    ['/items/', root.token, 'items', 50],
    ['/items/', ada.token, 'items', 50],
    ['/users/', root.token, 'users', 50],
    ['/items/', root.token, 'items', 10],
    ['/users/', root.token, 'users', 12],
  ] as const) {
    queries.length = 0
    const skip = length === 50 ? 0 : 50
    const { data } = (await request('GET', `${path}?skip=${skip}&limit=50`, { token })).json<{ data: unknown[] }>()
    expect(data).toHaveLength(length)
    expect(queries).toHaveLength(2)
    expect(queries[0]).toMatch(/^select .* from "sessions"/)
    expect(queries[1]).toMatch(new RegExp(`^\\s*select .* from \\(.*"${table}"`, 's'))
  }
})

test('an overview takes one query, or three for a superuser, in addition to that for the session', async () => {
  const { store, request, newUser } = await buildTestApp()
  const root = await newUser({ is_superuser: true })
  const ada = await newUser()
  const queries = recordQueries(store)
  for (const [token, count] of [
    [ada.token, 1],
    [root.token, 3],
  ] as const) {
    queries.length = 0
    expect((await request('GET', '/users/me/overview', { token })).statusCode).toBe(200)
    expect(queries).toHaveLength(1 + count)
  }
})

test('the last use of a session is written at most once a minute', async () => {
  const { store, request, newUser, clock } = await buildTestApp()
  const { token } = await newUser()
  const queries = recordQueries(store)
  for (let second = 0; second < 125; second += 1) {
    await request('GET', '/users/me', { token })
    clock.advance(1000)
  }
  const written = queries.filter((query) => query.startsWith('update')).map((query) => query.split(' ')[1])
  expect(written).toEqual(['"sessions"', '"users"', '"sessions"', '"users"'])
})
