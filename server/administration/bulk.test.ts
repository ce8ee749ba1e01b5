import { describe, expect, test, vi } from 'vitest'
import { nobody, type Person, statusAndBody, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import type { Invitation } from '../contract/types.gen.ts'
import { addUsers, idOf } from '../test/many-users.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { snapshot } from '../test/snapshot.ts'
import { expectConsistentCounts } from '../test/two-servers.ts'

const DAY = 86_400_000
const own = 'The own account cannot be changed together with others'
const unknown = { id: nobody, detail: 'User not found' }

async function stage() {
  const { app, root } = await buildTestAppWith({ root: { is_superuser: true, email: 'root@example.com' } })
  const bulk = async (action: string, targets: object, person = root) =>
    person.post('/users/bulk', { action, ...targets })
  const run = async (action: string, targets: object) => statusAndBody(await bulk(action, targets))
  const read = async ({ id }: { id: string }) => (await root.get(`/users/${id}`)).json<object>()
  const isLoggedIn = async (person: Person) => (await person.get('/users/me')).statusCode === 200
  const entries = async () =>
    (await auditOf(app)).map(({ action, actor_id, subject_id, details }) => ({ action, actor_id, subject_id, details }))
  return { ...app, root, bulk, run, read, isLoggedIn, entries }
}

const addMany = (scene: TestApp, number: number) => addUsers(scene, number, () => ({ is_active: false }))

describe('many users', () => {
  test('are deactivated and activated, which ends their sessions and invitations', async () => {
    const { root, newUser, run, read, isLoggedIn, entries, store } = await stage()
    const [ada, ben] = [await newUser(), await newUser({ is_active: false })]
    const { user: eve } = (await root.post('/users/invite', { email: 'eve@example.com' })).json<Invitation>()
    const earlier = (await entries()).length
    const ids = [ada.id, ben.id, eve.id, root.id, nobody]
    const refused = [{ id: root.id, detail: own }, unknown]
    const deactivation = [200, { changed: 2, unchanged: 1, refused, changed_ids: [ada.id, eve.id] }]
    expect(await run('deactivate', { ids })).toEqual(deactivation)
    expect(await read(ada)).toMatchObject({ is_active: false })
    expect([await isLoggedIn(ada), await isLoggedIn(root)]).toEqual([false, true])
    expect(await store.db.selectFrom('challenges').selectAll().execute()).toEqual([])
    const by = { actor_id: root.id }
    const deactivated = { ...by, action: 'status-change', details: { is_active: { from: true, to: false } } }
    expect((await entries()).slice(earlier)).toEqual([
      { ...by, action: 'users-bulk', subject_id: root.id, details: { action: 'deactivate', number: 5 } },
      { ...deactivated, subject_id: ada.id },
      { ...deactivated, subject_id: eve.id },
    ])
    const activation = [200, { changed: 3, unchanged: 1, refused: [unknown], changed_ids: [ada.id, ben.id, eve.id] }]
    expect(await run('activate', { ids })).toEqual(activation)
    expect(await read(ben)).toMatchObject({ is_active: true })
  })

  test('get and lose the role of superusers, which ends their sessions', async () => {
    const { root, newUser, run, read, isLoggedIn } = await stage()
    const [ada, ben] = [await newUser(), await newUser({ is_superuser: true })]
    const ids = [root.id, ada.id, ben.id]
    expect(await run('make_superuser', { ids })).toEqual([200, { changed: 1, unchanged: 2, refused: [] }])
    expect([await isLoggedIn(ada), await isLoggedIn(ben)]).toEqual([false, true])
    const refused = [{ id: root.id, detail: own }]
    expect(await run('remove_superuser', { ids })).toEqual([200, { changed: 2, unchanged: 0, refused }])
    expect(await read(ben)).toMatchObject({ is_superuser: false })
    expect(await isLoggedIn(ben)).toBe(false)
  })

  test('are logged out', async () => {
    const { root, newUser, newSession, run, isLoggedIn, clock } = await stage()
    const idle = await newUser()
    clock.advance(8 * DAY)
    const me = await newSession(root)
    const [ada, ben] = [await newUser(), await newUser()]
    await ben.post('/logout')
    const ids = [ada.id, ben.id, idle.id, root.id]
    const ended = await me.post('/users/bulk', { action: 'end_sessions', ids })
    // Expired sessions do not count.
    expect(ended.json()).toEqual({ changed: 1, unchanged: 2, refused: [{ id: root.id, detail: own }] })
    expect([await isLoggedIn(ada), await isLoggedIn(me)]).toEqual([false, true])
    expect(await run('end_sessions', { ids })).toMatchObject([401, {}])
  })

  test('are deleted with their data', async () => {
    const scene = await stage()
    const { root, newUser, run, entries } = scene
    const people = [await newUser(), await newUser()]
    for (const person of people) for (const sample of anyResource) await addRow(person, sample)
    const [ada, ben] = people.map(({ id }) => id)
    const refused = [{ id: root.id, detail: own }, unknown]
    const ids = [ada, root.id, nobody, ben]
    const earlier = (await entries()).length
    expect(await run('delete', { ids })).toEqual([200, { changed: 2, unchanged: 0, refused }])
    await scene.housekeeping.runAll()
    expect((await snapshot(scene)).rows).toEqual([])
    await expectConsistentCounts(scene)
    expect((await entries()).slice(earlier).map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ['users-bulk', root.id],
      ['account-delete', ada],
      ['account-delete', ben],
    ])
  })

  test('are those that match a filter, as in the list', async () => {
    const { newUser, bulk, read, entries, clock } = await stage()
    const sleeper = await newUser({ full_name: 'Ada Sleeper' })
    const idle = await newUser({ full_name: 'Ada Idle', is_active: false })
    clock.advance(10 * DAY)
    const admin = await newUser({ is_superuser: true, full_name: 'Ada Admin' })
    const fresh = await newUser({ full_name: 'Ada Fresh' })
    const run = async (action: string, filter: object, count: number) =>
      statusAndBody(await bulk(action, { filter, count }, admin))
    const filter = { q: 'ada', idle_days: 10, never_active: 'from_creation', status: 'active' }
    const nothing = [200, { changed: 0, unchanged: 0, refused: [] }]
    const one = [200, { changed: 1, unchanged: 0, refused: [], changed_ids: [sleeper.id] }]
    expect(await run('deactivate', filter, 1)).toEqual(one)
    expect(await read(sleeper)).toMatchObject({ detail: 'Could not validate credentials' })
    expect(await run('deactivate', filter, 0)).toEqual(nothing)
    expect(await run('deactivate', { q: 'ada' }, 4)).toEqual([
      200,
      { changed: 1, unchanged: 2, refused: [{ id: admin.id, detail: own }], changed_ids: [fresh.id] },
    ])
    const same = [200, { changed: 0, unchanged: 1, refused: [], changed_ids: [] }]
    expect(await run('activate', { q: 'ada', role: 'superuser' }, 1)).toEqual(same)
    const noSessions = [200, { changed: 0, unchanged: 3, refused: [] }]
    expect(await run('end_sessions', { status: 'inactive,invited' }, 3)).toEqual(noSessions)
    expect((await run('end_sessions', { status: 'inactive,inactive' }, 3))[0]).toBe(422)
    const others = [200, { changed: 4, unchanged: 0, refused: [{ id: admin.id, detail: own }] }]
    expect(await run('delete', {}, 5)).toEqual(others)
    const wholes = (await entries()).filter(({ action }) => action === 'users-bulk').map(({ details }) => details)
    expect(wholes.slice(0, 2)).toEqual([
      { action: 'deactivate', filter, number: 1 },
      { action: 'deactivate', filter, number: 0 },
    ])
    const ofIdle = (await entries()).filter(({ subject_id }) => subject_id === idle.id)
    expect(ofIdle.map(({ action }) => action)).toEqual(['account-delete'])
  })

  test('are not changed when the list has', async () => {
    const { newUser, run, entries, store, context } = await stage()
    for (const status of [true, true, false]) await newUser({ is_active: status })
    const conflict = (detail: string) => [409, { detail: `The list has changed: ${detail} now` }]
    expect(await run('delete', { filter: { status: 'inactive' }, count: 2 })).toEqual(conflict('1 user matches'))
    expect(await run('delete', { filter: {}, count: 3 })).toEqual(conflict('4 users match'))
    // A change between the search and the first batch.
    const search = context.reads.run.bind(context.reads)
    vi.spyOn(context.reads, 'run').mockImplementationOnce(async (...args) => {
      const found = await search(...args)
      await store.db.updateTable('users').set({ is_active: 1 }).where('is_active', '=', 0).execute()
      return found
    })
    expect(await run('delete', { filter: { status: 'inactive' }, count: 1 })).toEqual(conflict('0 users match'))
    expect(await entries()).toEqual([])
    expect(await store.db.selectFrom('users').select('id').execute()).toHaveLength(4)
  })

  test('are at most 10,000', async () => {
    const scene = await stage()
    const { run, store } = scene
    await addMany(scene, 10_001)
    const detail = [{ loc: ['body', 'filter'], msg: 'More than 10,000 users match', type: 'unprocessable' }]
    expect(await run('activate', { filter: { status: 'inactive' }, count: 10_001 })).toEqual([422, { detail }])
    await store.db.updateTable('users').set({ is_active: 1 }).where('id', '=', idOf(7)).execute()
    const filter = { q: 'many', status: 'inactive' }
    const most = [200, { changed: 10_000, unchanged: 0, refused: [] }]
    expect(await run('activate', { filter, count: 10_000 })).toEqual(most)
    expect(await run('activate', { filter, count: 0 })).toMatchObject([200, { changed: 0 }])
    expect(new Set((await auditOf(scene, 'status-change')).map(({ subject_id }) => subject_id)).size).toBe(10_000)
  })

  test.each<[string, object, string]>([
    ['neither ids nor a filter', {}, 'ids'],
    ['both', { ids: [nobody], filter: {}, count: 1 }, 'ids'],
    ['a filter without a count', { filter: {} }, 'count'],
    ['ids with a count', { ids: [nobody], count: 1 }, 'count'],
    ['no ids', { ids: [] }, 'ids'],
    ['too many ids', { ids: Array.from({ length: 1001 }, () => nobody) }, 'ids'],
    ['an id that is none', { ids: [nobody, 'x'] }, 'ids.1'],
    ['an unknown status', { filter: { status: 'gone' }, count: 1 }, 'filter.status'],
    ['a negative count', { filter: {}, count: -1 }, 'count'],
    ['a list as filter', { filter: [], count: 1 }, 'filter'],
  ])('are not changed with %s', async (_what, targets, field) => {
    const { run, entries } = await stage()
    const [status, body] = await run('deactivate', targets)
    expect([status, body]).toEqual([422, { detail: [expect.objectContaining({ loc: ['body', ...field.split('.')] })] }])
    expect(await entries()).toEqual([])
  })
})

/** Lets something happen before the batch with this index. */
async function before({ store }: TestApp, batch: number, act: () => Promise<unknown>): Promise<void> {
  const transaction = store.transaction.bind(store)
  let next = 0
  vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
    if (next === batch) await act()
    next += 1
    return transaction(work)
  })
}

const activeOf = async ({ store }: TestApp) => {
  const many = store.db.selectFrom('users').select('id').where('email', 'like', 'many%').where('is_active', '=', 1)
  return (await many.orderBy('id').execute()).map(({ id }) => id)
}

describe('a change of many users that ends early', () => {
  const detail = 'Only 200 of 250 users were processed, please try again for the rest'
  const targets = { filter: { q: 'many' }, count: 250 }
  const first = (number: number) => Array.from({ length: number }, (_, index) => idOf(index))

  test('leaves whole batches, says so, and can be repeated', async () => {
    const scene = await stage()
    const { run, entries } = scene
    await addMany(scene, 250)
    await before(scene, 2, async () => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
    })
    expect(await run('activate', targets)).toEqual([503, { detail }])
    expect(await activeOf(scene)).toEqual(first(200))
    const audited = (await entries()).filter(({ action }) => action === 'status-change')
    expect(audited.map(({ subject_id }) => subject_id)).toEqual(first(200))
    vi.restoreAllMocks()
    const rest = [200, { changed: 50, unchanged: 200, refused: [], changed_ids: first(250).slice(200) }]
    expect(await run('activate', targets)).toEqual(rest)
    expect(await activeOf(scene)).toEqual(first(250))
  })

  test('because it takes long leaves whole batches and says so', async () => {
    const scene = await stage()
    await addMany(scene, 250)
    await before(scene, 1, async () => {
      vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 50_000)
    })
    expect(await scene.run('activate', targets)).toEqual([503, { detail }])
    vi.restoreAllMocks()
    expect(await activeOf(scene)).toEqual(first(200))
  })

  test('because the server stops says so', async () => {
    const scene = await stage()
    const { run, context } = scene
    await addMany(scene, 250)
    await before(scene, 1, async () => void (context.stopping = AbortSignal.abort()))
    expect(await run('activate', targets)).toEqual([503, { detail }])
    expect((await run('activate', { ids: first(250) }))[0]).toBe(503)
    expect(await activeOf(scene)).toEqual(first(200))
  })

  test.each([
    ['is demoted', { is_superuser: 0 }],
    ['is deactivated', { is_active: 0 }],
  ] as const)('because its superuser %s changes no more', async (_how, change) => {
    const scene = await stage()
    const { root, run, store } = scene
    await addMany(scene, 250)
    await before(scene, 1, () => store.db.updateTable('users').set(change).where('id', '=', root.id).execute())
    expect(await run('activate', targets)).toEqual([401, { detail: 'Could not validate credentials' }])
    expect(await activeOf(scene)).toEqual(first(100))
  })
})

test('users who do not match any more before their batch are left alone', async () => {
  const scene = await stage()
  const { run, store } = scene
  await addMany(scene, 250)
  const renamed = [idOf(0), idOf(100), idOf(249)]
  await before(scene, 1, () =>
    store.db.updateTable('users').set({ email_search: 'renamed' }).where('id', 'in', renamed).execute(),
  )
  const refused = renamed.slice(1).map((id) => ({ id, detail: 'This user has changed' }))
  const result = await run('activate', { filter: { q: 'many' }, count: 250 })
  const all = Array.from({ length: 250 }, (_, index) => idOf(index))
  const changed_ids = all.filter((id) => !renamed.slice(1).includes(id))
  expect(result).toEqual([200, { changed: 248, unchanged: 0, refused, changed_ids }])
})
