import { describe, expect, test } from 'vitest'
import { buildTestApp, type Person, type TestApp } from './build-test-app.ts'

interface Overview {
  items: { count: number; newest: { id: string }[] }
  users: { active: number; inactive: number; invited: number; newest: { id: string }[] } | null
}

async function overviewOf({ request }: TestApp, { token }: Person): Promise<Overview> {
  const answer = await request('GET', '/users/me/overview', { token })
  expect(answer.statusCode).toBe(200)
  return answer.json<Overview>()
}

describe('the overview', () => {
  test('of a user has only the own items, and no users', async () => {
    const testApp = await buildTestApp()
    const { newUser, newItem, clock } = testApp
    const ada = await newUser()
    const ben = await newUser()
    expect(await overviewOf(testApp, ada)).toEqual({ items: { count: 0, newest: [] }, users: null })
    await newItem(ada, 'Older')
    clock.advance(1)
    const id = await newItem(ada, 'Newer')
    clock.advance(1)
    await newItem(ben, 'Of Ben')
    expect(await overviewOf(testApp, ada)).toEqual({
      items: {
        count: 2,
        newest: [{ id, title: 'Newer', description: null, owner_id: ada.id, created_at: '2026-01-01T00:00:00.001Z' }],
      },
      users: null,
    })
  })

  test('of a superuser has the items of all users, accounts by status and the three newest accounts', async () => {
    const testApp = await buildTestApp()
    const { newUser, newItem, request, store, clock } = testApp
    const root = await newUser({ is_superuser: true })
    const people: Person[] = []
    for (const is_active of [true, false, true, false, true]) {
      clock.advance(1)
      people.push(await newUser({ is_active }))
    }
    const [ada, , , , last] = people
    if (!ada || !last) throw new Error('No people')
    await store.db.updateTable('users').set({ password_hash: '' }).where('id', '=', last.id).execute()
    const id = await newItem(ada)

    const { items, users } = await overviewOf(testApp, root)
    expect(items).toMatchObject({ count: 1, newest: [{ id }] })
    const newest = people.slice(2).map((person) => person.id)
    expect(users?.newest.map((user) => user.id)).toEqual(newest.toReversed())
    expect(users).toMatchObject({ active: 3, inactive: 2, invited: 1 })

    // The counts equal those of the linked lists.
    for (const status of ['active', 'inactive', 'invited'] as const) {
      const list = await request('GET', `/users/?status=${status}&limit=1`, { token: root.token })
      expect(list.json<{ count: number }>().count).toBe(users?.[status])
    }
  })

  test('has no password hash and no fields outside the contract', async () => {
    const testApp = await buildTestApp()
    const root = await testApp.newUser({ is_superuser: true })
    await testApp.newItem(root)
    const { items, users } = await overviewOf(testApp, root)
    const itemKeys = ['created_at', 'description', 'id', 'owner_id', 'title']
    expect(Object.keys(items.newest[0] ?? {}).toSorted()).toEqual(itemKeys)
    expect(Object.keys(users?.newest[0] ?? {}).toSorted()).toEqual([
      'created_at',
      'email',
      'full_name',
      'id',
      'is_active',
      'is_invited',
      'is_superuser',
      'last_active_at',
    ])
  })
})

test('too many concurrent requests of one account get 503, and other accounts are served', async () => {
  const testApp = await buildTestApp()
  const { newUser, request } = testApp
  const root = await newUser({ is_superuser: true })
  const other = await newUser({ is_superuser: true })
  const ask = async ({ token }: Person) => (await request('GET', '/users/me/overview', { token })).statusCode
  const statuses = await Promise.all([...Array.from({ length: 150 }, () => ask(root)), ask(other)])
  expect(statuses.at(-1)).toBe(200)
  // On PostgreSQL, some are served before the last ones arrive.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(65)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
})
