import { expect, test, vi } from 'vitest'
import { demoRows } from './demo-rows.ts'
import { runSeedCommand } from './seed.ts'
import { demoRow as demoItem } from './rows/items.ts'
import { beginRow, demoContent, demoFile, demoUser } from './demo-data.ts'
import { buildTestApp, type TestApp } from '../../server/test/build-test-app.ts'
import { run } from '../../server/test/run-command.ts'

async function seed({ context }: TestApp, ...args: string[]) {
  const { code, said } = await run((terminal) => runSeedCommand(args, context, { ...terminal, progress: () => {} }))
  return { code, said: said.join('\n') }
}

async function readAll({ store: { db } }: TestApp) {
  return {
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    items: await db.selectFrom('items').selectAll().orderBy('id').execute(),
  }
}

async function countOf({ as }: TestApp, path: string, token: string): Promise<number> {
  return (await as(token).get(path)).json<{ count: number }>().count
}

test('demo data is added once and counted, and its accounts log in with the printed password', async () => {
  const testApp = await buildTestApp()
  const { logIn } = testApp
  const first = await seed(testApp)
  expect(first).toMatchObject({ code: 0 })
  const [, admin] = /^The first superuser is (\S+)$/m.exec(first.said) ?? []
  const [, adminPassword] = /^Their password is (\S+) /m.exec(first.said) ?? []
  const root = await logIn(admin ?? '', adminPassword ?? '')
  expect(await countOf(testApp, '/users/', root)).toBe(121)
  expect(await countOf(testApp, '/items/', root)).toBe(400)

  const [, email] = /^Log in as (\S+)/m.exec(first.said) ?? []
  const [, password] = /^The password of the added users is (\S+) /m.exec(first.said) ?? []
  const { items, users } = await readAll(testApp)
  const owner = users.find((user) => user.email === email)
  const own = items.filter((item) => item.owner_id === owner?.id).length
  expect(own).toBeGreaterThan(0)
  expect(await countOf(testApp, '/items/', await logIn(email ?? '', password ?? ''))).toBe(own)

  const again = await seed(testApp)
  const counts = ['0 users', ...Object.keys(demoRows).map((table) => `0 ${table}`)]
  const none = new Intl.ListFormat('en').format(counts)
  expect(again.said).toBe(`${none} added\n120 users were there already, or their address was`)
  const usedSince = { email, last_active_at: testApp.clock.now() }
  expect(await readAll(testApp)).toEqual({
    items,
    users: users.map((user) => (user.email === email ? { ...user, ...usedSince } : user)),
  })
})

test('more demo data leaves existing data unchanged', async () => {
  const testApp = await buildTestApp()
  const { newUser, newItem } = testApp
  const root = await newUser({ is_superuser: true })
  // A demo account is skipped together with its items if its address is taken.
  const taken = demoUser(1, '', 0)
  const namesake = await newUser({ email: taken.email.toUpperCase() })
  const item = await newItem(namesake)
  await seed(testApp, '--users', '5', '--items', '20')
  const before = await readAll(testApp)
  await root.delete(`/items/${demoItem(3, 5, 0).id}`)

  const more = await seed(testApp, '--users', '9', '--items', '30')
  expect(more.said).toMatch(/^4 users(?: and|,) \d+ items\b[^\n]* added\n5 users were there already/)
  const after = await readAll(testApp)
  expect(after.users).toHaveLength(2 + 8)
  expect(after.users).toEqual(expect.arrayContaining(before.users))
  expect(after.items).toEqual(expect.arrayContaining(before.items))
  expect(after.items.map(({ id }) => id)).toContain(item)
  expect(await countOf(testApp, '/users/', root.token)).toBe(after.users.length)
  expect(await countOf(testApp, '/items/', root.token)).toBe(after.items.length)
})

test('demo data is deterministic and valid', async () => {
  const now = Date.UTC(2026, 5, 1)
  const users = Array.from({ length: 2000 }, (_, index) => demoUser(index, 'hash', now))
  const items = Array.from({ length: 2000 }, (_, index) => demoItem(index, 120, now))
  expect(users).toEqual(Array.from({ length: 2000 }, (_, index) => demoUser(index, 'hash', now)))
  expect(new Set(users.map(({ email }) => email)).size).toBe(2000)
  expect(users.filter(({ email }) => !/^[a-z]+(\.[a-z]+)+\.\d+@example\.(com|org|net)$/.test(email))).toEqual([])
  expect(new Set([...users, ...items].map(({ id }) => id)).size).toBe(4000)
  const share = (rows: unknown[]) => rows.length / 2000
  expect(share(users.filter((user) => !user.is_active))).toBeCloseTo(0.1, 1)
  expect(share(users.filter((user) => user.full_name === null))).toBeCloseTo(0.08, 1)
  expect(share(items.filter((item) => item.description === null))).toBeCloseTo(0.3, 1)
  const created = new Map(users.slice(0, 120).map((user) => [user.id, user.created_at]))
  expect(items.filter((item) => item.created_at <= (created.get(item.owner_id) ?? now))).toEqual([])
  const times = [
    ...users.map((user) => user.last_active_at ?? user.created_at),
    ...items.map((item) => item.created_at),
  ]
  expect(Math.max(...times)).toBeLessThanOrEqual(now)
  const later = Array.from({ length: 5 }, (_, index) =>
    [demoUser(index, '', 0), demoItem(index, 9, 0)].map(({ id }) => id),
  )
  expect(later).toEqual(users.slice(0, 5).map((user, index) => [user.id, items[index]?.id]))
})

test.each([
  ['--users', 'many'],
  ['--users', '-1'],
  ['--users', '10000001'],
  ['--users', '0'],
  ['--users', '3', '--owners', '4'],
  ['--rows', '3'],
  ['something'],
])('invalid arguments add nothing: %s %s', async (...args) => {
  const testApp = await buildTestApp()
  const response = await seed(testApp, ...args)
  expect(response).toEqual({ code: 2, said: expect.stringMatching(/^! Usage: npm run seed/) })
  expect(await readAll(testApp)).toEqual({ users: [], items: [] })
})

test('demo data is made without what only Node has, as the mock back end is in the browser', () => {
  vi.stubGlobal('Buffer', undefined)
  demoUser(0, '', 0)
  // Some rows need linked rows, so they may be missing here.
  for (const make of Object.values(demoRows)) make(0, 1, 0)
  beginRow('note', 0, 1, 0)
  const file = demoFile()
  const { length } = demoContent(file ?? { name: '' })
  vi.unstubAllGlobals()
  expect(file).toMatchObject({ type: 'application/octet-stream', size: length })
})
