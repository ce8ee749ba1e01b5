import { expect, test, vi } from 'vitest'
import { BULK_ROWS, insertUsers } from '../store/bulk.ts'
import { buildTestApp, type TestApp } from './build-test-app.ts'
import { createTestDatabase } from './databases.ts'

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

/** Starts an export, which continues as it is read. */
async function startExport({ app }: TestApp, token: string, query = '') {
  const response = await app.inject({
    method: 'GET',
    url: `/api/v1/users/export${query}`,
    headers: { authorization: `Bearer ${token}` },
    payloadAsStream: true,
  })
  return { status: response.statusCode, stream: response.stream() }
}

async function idsIn(stream: AsyncIterable<Buffer>): Promise<string[]> {
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  const [, ...lines] = text.trimEnd().split('\r\n')
  return lines.map((line) => line.slice(0, 36))
}

test('an export is a snapshot of a list that changes meanwhile', async () => {
  const testApp = await setUp()
  const { request, token, newUser } = testApp
  const { stream } = await startExport(testApp, token)
  await newUser({ email: 'zz-new@example.com' })
  for (const index of [0, 2_000, MANY - 1]) {
    await request('DELETE', `/users/${idOf(index)}`, { token })
    await request('PATCH', `/users/${idOf(index + (index ? -1 : 1))}`, {
      token,
      json: { email: `new-${index}@example.com` },
    })
  }
  const ids = await idsIn(stream)
  expect(ids.slice(1)).toEqual(Array.from({ length: MANY }, (_, index) => idOf(MANY - 1 - index)))
})

test('an export reads no faster than its client', async () => {
  const testApp = await setUp()
  const executor = testApp.store.reader.getExecutor()
  const stream = executor.stream.bind(executor)
  let parts = 0
  vi.spyOn(executor, 'stream').mockImplementation(async function* counted(...args) {
    for await (const part of stream(...args)) {
      parts += 1
      yield part
    }
  })
  const { stream: file } = await startExport(testApp, testApp.token)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(parts).toBeLessThan(6)
  expect(await idsIn(file)).toHaveLength(MANY + 1)
})

test('a client that aborts an export can start another', async () => {
  const { app, token } = await setUp()
  const url = await app.listen({ port: 0 })
  const start = async (query = '', method = 'GET') => {
    const giveUp = new AbortController()
    const headers = { authorization: `Bearer ${token}` }
    const address = `${url}/api/v1/users/export${query}`
    const response = await fetch(address, { method, headers, signal: giveUp.signal })
    return { status: response.status, giveUp }
  }
  const first = await start()
  expect(first.status).toBe(200)
  first.giveUp.abort()
  await vi.waitFor(async () => expect((await start('?q=nobody', 'HEAD')).status).toBe(200))
  await vi.waitFor(async () => expect((await start('?q=nobody')).status).toBe(200))
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
