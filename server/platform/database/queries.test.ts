import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countFailures, listAudit } from '../../audit/queries.ts'
import { countUsersByDay } from '../../users/days-queries.ts'
import { countIdleUsers, listUsers, type UsersRequest } from '../../users/queries.ts'
import { isSqlite } from './dialect.ts'
import { addRows, anyResource } from '../../test/any-resource.ts'
import { buildTestApp } from '../../test/build-test-app.ts'
import { buildTestAppWith } from '../../test/people.ts'
import { addEntries } from '../../test/audit-entries.ts'
import { addUsers } from '../../test/many-users.ts'
import { planOf, recordQueries } from '../../test/query-plans.ts'

const DAY_MS = 86_400_000
const MANY = 1_000

test('a page of a list takes one query, in addition to that for the session', async () => {
  const { app, store, as, newUser, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
  for (const sample of anyResource) await addRows(app, ada, sample, 60)
  for (let i = 0; i < 60; i += 1) await newUser()
  const queries = recordQueries(store)
  for (const [table, token, length] of [
    ...anyResource.flatMap(({ table: name }) => [
      [name, root.token, 50] as const,
      [name, ada.token, 50] as const,
      [name, root.token, 10] as const,
    ]),
    ['users', root.token, 50] as const,
    ['users', root.token, 12] as const,
  ]) {
    queries.length = 0
    const skip = length === 50 ? 0 : 50
    const { data } = (await as(token).get(`/${table}/?skip=${skip}&limit=50`)).json<{ data: unknown[] }>()
    expect(data).toHaveLength(length)
    expect(queries).toHaveLength(2)
    expect(queries[0]?.sql).toMatch(/^\s*select .*\sfrom sessions /s)
    expect(queries[1]?.sql).toMatch(new RegExp(`^\\s*select \\(select .* from "${table}"`, 's'))
  }
})

test('the new users of each day are counted from an index', async () => {
  const { store, clock } = await buildTestApp()
  await addUsers({ store }, MANY, (index) => ({ created_at: clock.now() - index * 3_600_000 }))
  if (!isSqlite(store.db)) await sql`vacuum analyze users`.execute(store.db)
  const queries = recordQueries(store)
  const days = await countUsersByDay(store.db, clock.now(), 30)
  expect(days.map(({ new_users }) => new_users)).toEqual([...Array.from({ length: 29 }, () => 24), 1])
  const byIndex = [expect.stringMatching(/index .*users_newest\b/i)]
  expect((await planOf(store, queries[0])).filter((line) => /\b(on )?users\b/i.test(line))).toEqual(byIndex)
})

test('users who were not seen for a time are read and counted from an index', async () => {
  const { store, clock } = await buildTestApp()
  await addUsers({ store }, MANY, (index) => ({
    created_at: clock.now() - index * DAY_MS,
    last_active_at: index % 2 ? clock.now() - (index - 1) * DAY_MS : null,
  }))
  if (!isSqlite(store.db)) await sql`vacuum analyze users`.execute(store.db)
  const queries = recordQueries(store)
  const indexOf = async (given: UsersRequest) => {
    queries.length = 0
    const { count } = await listUsers(store.db, given, clock.now(), { skip: 0, limit: 10 })
    return [count, (await planOf(store, queries[0])).join('\n')]
  }
  const idle_days = MANY - 10
  const few = [10, expect.stringMatching(/users_seen\b/)]
  expect(await indexOf({ idle_days, never_active: 'from_creation' })).toEqual(few)
  queries.length = 0
  expect(await countIdleUsers(store.db, clock.now() - idle_days * DAY_MS)).toBe(10)
  expect((await planOf(store, queries[0])).join('\n')).toMatch(/(covering index|Index Only Scan using) users_seen\b/i)
  const last_active_at = clock.now()
  await store.db.updateTable('users').set({ last_active_at }).where('email', '!=', 'many8@example.com').execute()
  if (!isSqlite(store.db)) await sql`vacuum analyze users`.execute(store.db)
  expect(await indexOf({ never_active: 'only' })).toEqual([1, expect.stringMatching(/users_last_active/)])
})

test('failures in the audit log are read from an index, of all actions and of one', async () => {
  const { store, clock } = await buildTestApp()
  const entries = Array.from({ length: 20_000 }, (_, index) => ({
    at: clock.now() - index,
    action: index % 3 ? 'log-in' : 'role-change',
    result: index % 400 ? 'done' : 'wrong-password',
  }))
  await addEntries({ store }, entries)
  if (!isSqlite(store.db)) await sql`vacuum analyze audit`.execute(store.db)
  const queries = recordQueries(store)
  for (const result of ['failed', 'wrong-password'])
    for (const action of [undefined, 'log-in']) {
      queries.length = 0
      expect(await listAudit(store.db, { result, action }, { limit: 10 })).toHaveLength(10)
      expect((await planOf(store, queries[0])).join('\n')).toMatch(/\baudit_failed/)
    }
  queries.length = 0
  const [from, middle, to] = [clock.now() - 3_000, clock.now() - 1_000, clock.now()]
  expect(await countFailures(store.db, 'log-in', { from, middle, to })).toEqual({ before: 3, after: 2 })
  expect((await planOf(store, queries[0])).join('\n')).toMatch(/\baudit_failed_action\b/)
})

test('the history of a row is read from an index', async () => {
  const { store, clock } = await buildTestApp()
  const ids = Array.from({ length: 5_000 }, () => randomUUID())
  const entries = ids.map((id, index) => ({
    at: clock.now() - index,
    action: 'user-change',
    details: JSON.stringify({ id, name: 'Ada' }),
  }))
  await addEntries({ store }, entries)
  if (!isSqlite(store.db)) await sql`vacuum analyze audit`.execute(store.db)
  const queries = recordQueries(store)
  expect(await listAudit(store.db, { row_id: ids[3] }, { limit: 10 })).toHaveLength(1)
  expect((await planOf(store, queries[0])).join('\n')).toMatch(/\baudit_row\b/)
})

test('the last use of a session is written at most once a minute', async () => {
  const { store, clock, ada } = await buildTestAppWith({ ada: {} })
  const queries = recordQueries(store)
  for (let second = 0; second < 125; second += 1) {
    await ada.get('/users/me')
    clock.advance(1000)
  }
  const written = queries
    .map((query) => query.sql.split(' '))
    .flatMap(([verb, table]) => (verb === 'update' ? [table] : []))
  expect(written).toEqual(['"sessions"', '"users"', '"sessions"', '"users"'])
})
