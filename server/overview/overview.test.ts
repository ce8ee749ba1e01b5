import { describe, expect, test } from 'vitest'
import { allAtOnce, buildServers } from '../test/two-servers.ts'
import { buildTestApp, type Person } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import type { Overview } from '../contract/types.gen.ts'
import contract from '../../openapi.json' with { type: 'json' }

async function overviewOf(person: Person): Promise<Overview> {
  const response = await person.get('/users/me/overview')
  expect(response.statusCode).toBe(200)
  return response.json<Overview>()
}

const DAY = 86_400_000

describe('the overview', () => {
  test('of a superuser has accounts by status and the newest accounts', async () => {
    const { newUser, store, clock, root } = await buildTestAppWith({ root: { is_superuser: true } })
    const people: Person[] = []
    for (const is_active of [true, false, true, false, true]) {
      clock.advance(1)
      people.push(await newUser({ is_active }))
    }
    const last = people.at(-1)
    if (!last) throw new Error('No people')
    await store.db.updateTable('users').set({ password_hash: '', is_invited: 1 }).where('id', '=', last.id).execute()

    const { users } = await overviewOf(root)
    expect(users?.newest.map((user) => user.id)).toEqual(people.map((person) => person.id).toReversed())
    expect(users).toMatchObject({ active: 3, inactive: 2, invited: 1 })

    // The dashboard links each count to a list, which must have as many rows.
    for (const status of ['active', 'inactive', 'invited'] as const)
      expect((await root.get(`/users/?status=${status}&limit=1`)).json<{ count: number }>().count).toBe(users?.[status])
  })

  test('of a superuser counts invitations that expire soon, users not seen for 90 days, and failed log-ins', async () => {
    const { newUser, newSession, tryLogIn, clock } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    await newUser()
    const numbers = async () => {
      const session = await newSession(root)
      const { users } = await overviewOf(session)
      const idle = await session.get('/users/?idle_days=90&never_active=from_creation')
      expect(idle.json<{ count: number }>().count).toBe(users?.idle)
      const { expiring, idle: notSeen, failed_log_ins } = users ?? {}
      return { expiring, notSeen, ...failed_log_ins }
    }
    expect((await root.post('/users/invite', { email: 'eve@example.com' })).statusCode).toBe(200)
    for (let time = 0; time < 2; time += 1) await tryLogIn(ada.email, 'not this one')
    expect(await numbers()).toEqual({ expiring: 0, notSeen: 0, last_day: 2, day_before: 0 })
    clock.advance(DAY + 1)
    await tryLogIn(ada.email, 'not this one')
    expect(await numbers()).toEqual({ expiring: 0, notSeen: 0, last_day: 1, day_before: 2 })
    clock.advance(5 * DAY)
    expect(await numbers()).toEqual({ expiring: 1, notSeen: 0, last_day: 0, day_before: 0 })
    clock.advance(84 * DAY)
    await newSession(ada)
    expect(await numbers()).toMatchObject({ expiring: 0, notSeen: 2 })
  })

  test('tells the first superuser whether the generated password is still in use, and whether mails are sent', async () => {
    const { newUser } = await buildTestApp()
    const first = await newUser({ is_superuser: true, email: 'Admin@example.com' })
    const other = await newUser({ is_superuser: true })
    expect((await overviewOf(first)).setup).toEqual({ generated_password: true, mail: false })
    expect((await overviewOf(other)).setup).toEqual({ generated_password: false, mail: false })
    const json = { current_password: first.password, new_password: 'another password' }
    expect((await first.patch('/users/me/password', json)).statusCode).toBe(200)
    expect((await overviewOf(first)).setup?.generated_password).toBe(false)

    const configured = await buildTestApp({
      FIRST_SUPERUSER_PASSWORD: 'chosen by hand',
      SMTP_URL: 'smtp://127.0.0.1:1',
    })
    const root = await configured.newUser({ is_superuser: true, email: 'admin@example.com' })
    expect((await overviewOf(root)).setup).toEqual({ generated_password: false, mail: true })
  })

  test('has no password hash and no fields outside the contract', async () => {
    const { app, root } = await buildTestAppWith({ root: { is_superuser: true } })
    await app.newUser()
    const { users } = await overviewOf(root)
    const keysOf = (row: object = {}) => Object.keys(row).toSorted()
    expect(keysOf(users?.newest[0])).toEqual(Object.keys(contract.components.schemas.UserPublic.properties).toSorted())
  })
})

describe('the days of the overview', () => {
  test('are the last 30 (UTC), each with its new and active users', async () => {
    const { newUser, anonymous, as, clock, logIn } = await buildTestApp()
    clock.advance(DAY - 1)
    const ada = await newUser()
    clock.advance(1)
    const ben = await newUser()
    const json = { email: 'eve@example.com', password: 'long enough' }
    expect((await anonymous.post('/users/signup', json)).statusCode).toBe(200)
    const token = await logIn(ada.email, ada.password)
    for (let minutes = 0; minutes < 5; minutes += 1) {
      clock.advance(60_000)
      await as(token).get('/users/me')
    }
    clock.advance(DAY)
    await logIn(ben.email, ben.password)
    await logIn(ben.email, ben.password)
    const root = await newUser({ is_superuser: true })
    expect((await root.delete(`/users/${ben.id}`)).statusCode).toBe(200)

    const { days } = await overviewOf(root)
    expect(days).toHaveLength(30)
    expect(days?.[0]).toEqual({ day: '2025-12-05', new_users: 0, active_users: 0 })
    // Ben is deleted, but his activity on two days still counts.
    expect(days?.slice(-4)).toEqual([
      { day: '2025-12-31', new_users: 0, active_users: 0 },
      { day: '2026-01-01', new_users: 1, active_users: 1 },
      { day: '2026-01-02', new_users: 1, active_users: 2 },
      { day: '2026-01-03', new_users: 1, active_users: 2 },
    ])
    clock.advance(29 * DAY)
    const other = await newUser({ is_superuser: true })
    const later = await overviewOf(other)
    expect([later.days?.[0], later.days?.at(-1)]).toEqual([
      { day: '2026-01-03', new_users: 1, active_users: 2 },
      { day: '2026-02-01', new_users: 1, active_users: 1 },
    ])
  })

  test('count a user once, also by requests at the same time on several servers', async () => {
    const servers = await buildServers()
    const [one] = servers
    const root = await one.newUser({ is_superuser: true })
    one.clock.advance(DAY)
    const admin = await one.newUser({ is_superuser: true })
    await allAtOnce(servers, (server) => server.tryLogIn(root.email, root.password))
    const { days } = (await one.as(admin).get('/users/me/overview')).json<Overview>()
    expect(days?.at(-1)).toEqual({ day: '2026-01-02', new_users: 1, active_users: 2 })
  })
})

test('too many concurrent requests of one account get 503, and other accounts are served', async () => {
  const { root, other } = await buildTestAppWith({ root: { is_superuser: true }, other: { is_superuser: true } })
  const ask = async (person: Person) => (await person.get('/users/me/overview')).statusCode
  const statuses = await Promise.all([...Array.from({ length: 150 }, () => ask(root)), ask(other)])
  expect(statuses.at(-1)).toBe(200)
  // On PostgreSQL, some requests finish before the last ones arrive.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(65)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
})
