import { expect, test, vi } from 'vitest'
import { demoRows } from './demo-rows.ts'
import { runSeedCommand } from './seed.ts'
import { beginRow, demoContent, demoFile, demoUser } from './demo-data.ts'
import { links } from '../../src/lib/resources.ts'
import { addRow, anyResource } from '../../server/test/any-resource.ts'
import { buildTestApp, type TestApp } from '../../server/test/build-test-app.ts'
import { run } from '../../server/test/run-command.ts'
import { snapshot } from '../../server/test/snapshot.ts'

const tables = Object.keys(demoRows)

async function seed({ context }: TestApp, ...args: string[]) {
  const { code, said } = await run((terminal) => runSeedCommand(args, context, { ...terminal, progress: () => {} }))
  return { code, said: said.join('\n') }
}

async function readAll(testApp: TestApp) {
  const { users, rows } = await snapshot(testApp)
  return { users, rows }
}

/** How many rows there are in some lists. */
async function countOf({ as }: TestApp, lists: string[], token: string): Promise<number> {
  const read = async (list: string) => (await as(token).get(`/${list}/`)).json<{ count: number }>().count
  return (await Promise.all(lists.map(read))).reduce((sum, count) => sum + count, 0)
}

test('demo data is added once and counted, and its accounts log in with the printed password', async () => {
  const testApp = await buildTestApp()
  const { logIn } = testApp
  const first = await seed(testApp)
  expect(first).toMatchObject({ code: 0 })
  const [, admin] = /^The first superuser is (\S+)$/m.exec(first.said) ?? []
  const [, adminPassword] = /^Their password is (\S+) /m.exec(first.said) ?? []
  const root = await logIn(admin ?? '', adminPassword ?? '')
  expect(await countOf(testApp, ['users'], root)).toBe(121)
  for (const table of tables.slice(0, 1)) expect(await countOf(testApp, [table], root)).toBe(400)

  const [, email] = /^Log in as (\S+)/m.exec(first.said) ?? []
  const [, password] = /^The password of the added users is (\S+) /m.exec(first.said) ?? []
  const { rows, users } = await readAll(testApp)
  const owner = users.find((user) => user.email === email)
  const own = rows.filter((row) => row['owner_id'] === owner?.id).length
  expect(own > 0).toBe(tables.length > 0)
  expect(await countOf(testApp, tables, await logIn(email ?? '', password ?? ''))).toBe(own)

  const again = await seed(testApp)
  const counts = ['0 users', ...tables.map((table) => `0 ${table}`)]
  const none = new Intl.ListFormat('en').format(counts)
  expect(again.said).toBe(`${none} added\n120 users were there already, or their address was`)
  const usedSince = { email, last_active_at: testApp.clock.now() }
  expect(await readAll(testApp)).toEqual({
    rows,
    users: users.map((user) => (user.email === email ? { ...user, ...usedSince } : user)),
  })
})

test('more demo data leaves existing data unchanged', async () => {
  const testApp = await buildTestApp()
  const { newUser } = testApp
  const root = await newUser({ is_superuser: true })
  // A demo account is skipped together with its data if its address is taken.
  const taken = demoUser(1, '', 0)
  const namesake = await newUser({ email: taken.email.toUpperCase() })
  const added = await Promise.all(anyResource.map((sample) => addRow(namesake, sample)))
  const rowsOf = (count: string) => tables.flatMap((table) => [`--${table}`, count])
  await seed(testApp, '--users', '5', ...rowsOf('20'))
  const before = await readAll(testApp)
  for (const { table } of anyResource.filter((one) => !links.some(({ to }) => to === one.table))) {
    // A deleted row is added again if it has the same owner among more accounts.
    const owners = (count: number) => Array.from({ length: 20 }, (_, row) => demoRows[table]?.(row, count, 0)?.owner_id)
    const more = owners(9)
    const index = owners(5).findIndex((owner, row) => owner === more[row])
    await root.delete(`/${table}/${demoRows[table]?.(index, 5, 0)?.id}`)
  }

  const more = await seed(testApp, '--users', '9', ...rowsOf('30'))
  expect(more.said).toMatch(/^4 users\b[^\n]* added\n5 users were there already/)
  for (const table of tables) expect(more.said).toMatch(new RegExp(` \\d+ ${table}\\b.* added`))
  const after = await readAll(testApp)
  expect(after.users).toHaveLength(2 + 8)
  expect(after.users).toEqual(expect.arrayContaining(before.users))
  expect(after.rows).toEqual(expect.arrayContaining(before.rows))
  expect(after.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(added))
  expect(await countOf(testApp, ['users'], root.token)).toBe(after.users.length)
  expect(await countOf(testApp, tables, root.token)).toBe(after.rows.length)
})

test('demo data is deterministic and valid', async () => {
  const now = Date.UTC(2026, 5, 1)
  const users = Array.from({ length: 2000 }, (_, index) => demoUser(index, 'hash', now))
  const ofIndex = (index: number) => Object.values(demoRows).map((make) => make(index, 120, now))
  const rows = users.flatMap((_, index) => ofIndex(index).filter((row) => row !== undefined))
  expect(users).toEqual(Array.from({ length: 2000 }, (_, index) => demoUser(index, 'hash', now)))
  expect(new Set(users.map(({ email }) => email)).size).toBe(2000)
  expect(users.filter(({ email }) => !/^[a-z]+(\.[a-z]+)+\.\d+@example\.(com|org|net)$/.test(email))).toEqual([])
  expect(new Set([...users, ...rows].map(({ id }) => id)).size).toBe(users.length + rows.length)
  const share = (of: unknown[]) => of.length / 2000
  expect(share(users.filter((user) => !user.is_active))).toBeCloseTo(0.1, 1)
  expect(share(users.filter((user) => user.full_name === null))).toBeCloseTo(0.08, 1)
  const created = new Map(users.slice(0, 120).map((user) => [user.id, user.created_at]))
  expect(rows.filter((row) => row.created_at <= (created.get(row.owner_id) ?? now))).toEqual([])
  const times = [...users.map((user) => user.last_active_at ?? user.created_at), ...rows.map((row) => row.created_at)]
  expect(Math.max(...times)).toBeLessThanOrEqual(now)
  for (let index = 0; index < 5; index += 1) {
    const later = [demoUser(index, '', 0), ...Object.values(demoRows).map((make) => make(index, 9, 0))]
    expect(later.map((row) => row?.id)).toEqual([users[index], ...ofIndex(index)].map((row) => row?.id))
  }
})

test.each([
  ['--users', 'many'],
  ['--users', '-1'],
  ['--users', '10000001'],
  // Without rows, nobody needs to own them.
  ...tables.slice(0, 1).map(() => ['--users', '0']),
  ['--users', '3', '--owners', '4'],
  ['--rows', '3'],
  ['something'],
])('invalid arguments add nothing: %s %s', async (...args) => {
  const testApp = await buildTestApp()
  const response = await seed(testApp, ...args)
  expect(response).toEqual({ code: 2, said: expect.stringMatching(/^! Usage: npm run seed/) })
  expect(await readAll(testApp)).toEqual({ users: [], rows: [] })
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
