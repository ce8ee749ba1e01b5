import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { addRow, anyResource } from './any-resource.ts'
import { auditOf } from './audit-entries.ts'
import { buildTestApp, nobody, type Person, statusAndBody, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { connectTo } from './send-bytes.ts'

async function send(origin: string, { token }: Person, json: object) {
  const client = connectTo(origin)
  await once(client, 'connect')
  const body = JSON.stringify(json)
  const lines = ['POST /api/v1/users/bulk HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
  lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  client.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return client
}

/** Stops the first batch. @returns a promise that it has begun, and a function that lets it continue */
async function holdFirstBatch({ store }: TestApp) {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = store.transaction.bind(store)
  vi.spyOn(store, 'transaction').mockImplementationOnce(async (work) => {
    begun.resolve()
    await held.promise
    return transaction(work)
  })
  return { begun: begun.promise, release: held.resolve }
}

describe('a change of many rows', () => {
  test('can be made a thousand times an hour', async () => {
    const { app, root } = await buildPeopledApp()
    const json = { action: 'activate', ids: [nobody] }
    const statuses: number[] = []
    for (let round = 0; round < 1_002; round += 1) statuses.push((await root.post('/users/bulk', json)).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 1_000 }, () => 200), 429, 429])
    expect(await auditOf(app)).toHaveLength(1_000)
    app.clock.advance(60 * 60_000)
    expect((await (await app.newSession(root)).post('/users/bulk', json)).statusCode).toBe(200)
  })

  test('runs one at a time per account, and does not keep others waiting', async () => {
    const testApp = await buildTestApp()
    const { newUser, context } = testApp
    const [ada, eve] = [await newUser({ is_superuser: true }), await newUser({ is_superuser: true })]
    const [hers, other] = [(await newUser()).id, (await newUser()).id]
    const remove = async (person: Person, id: string) => person.post('/users/bulk', { action: 'delete', ids: [id] })
    const { begun, release } = await holdFirstBatch(testApp)
    const first = remove(ada, hers)
    await begun
    const second = remove(ada, hers)
    await expect.poll(context.bulks.load).toEqual({ running: 1, waiting: 1 })
    expect((await remove(eve, other)).json()).toMatchObject({ changed: 1 })
    release()
    expect((await first).json()).toMatchObject({ changed: 1 })
    expect((await second).json()).toMatchObject({ changed: 0 })
  })

  test('goes on when its client leaves, but is not begun when the client has left', async () => {
    const testApp = await buildTestApp()
    const { listen, newUser, context, store } = testApp
    const ada = await newUser({ is_superuser: true })
    const [one, two] = [(await newUser()).id, (await newUser()).id]
    const origin = await listen()
    const { begun, release } = await holdFirstBatch(testApp)
    const first = await send(origin, ada, { action: 'delete', ids: [one] })
    await begun
    const second = await send(origin, ada, { action: 'delete', ids: [two] })
    await expect.poll(context.bulks.load).toEqual({ running: 1, waiting: 1 })
    first.destroy()
    second.destroy()
    await expect.poll(context.bulks.load).toEqual({ running: 1, waiting: 0 })
    release()
    await expect.poll(context.bulks.load).toEqual({ running: 0, waiting: 0 })
    const left = store.db.selectFrom('users').select('id').where('is_superuser', '=', 0)
    expect(await left.execute()).toEqual([{ id: two }])
  })

  test('compares a row that changes between the search and the first batch again', async () => {
    const { newUser, clock, context } = await buildTestApp()
    const ada = await newUser({ is_superuser: true })
    const chair = await newUser({ full_name: 'Old chair' })
    await newUser({ full_name: 'Old table' })
    /** Deletes both accounts, and renames one after the search has found it. */
    async function deleteWhileRenamed(full_name: string) {
      const search = context.reads.run.bind(context.reads)
      vi.spyOn(context.reads, 'run').mockImplementationOnce(async (...args) => {
        const found = await search(...args)
        clock.advance(1)
        expect((await chair.patch('/users/me', { full_name })).statusCode).toBe(200)
        return found
      })
      const json = { action: 'delete', filter: { q: 'old' }, count: 2 }
      return (await ada.post('/users/bulk', json)).json<object>()
    }
    expect(await deleteWhileRenamed('New chair')).toEqual({ detail: 'The list has changed: 1 user matches now' })
    expect((await chair.patch('/users/me', { full_name: 'Old chair' })).statusCode).toBe(200)
    expect(await deleteWhileRenamed('Very old chair')).toEqual({ changed: 2, unchanged: 0, refused: [] })
  })

  test('with a long list of wrong ids gets one error', async () => {
    const { root } = await buildPeopledApp()
    const json = { action: 'delete', ids: Array.from({ length: 15_000 }, () => 0) }
    const detail = [{ loc: ['body', 'ids'], msg: 'List should have at most 1000 items', type: 'maxItems' }]
    expect(statusAndBody(await root.post('/users/bulk', json))).toEqual([422, { detail }])
  })

  test.each(anyResource)('has no effect on what its sender may not see', async (sample) => {
    const { ada, eve } = await buildPeopledApp()
    const id = await addRow(ada, sample, { [sample.searched[0]]: 'Secret' })
    const attempts = [
      { ids: [id] },
      { filter: { owner_id: ada.id }, count: 1 },
      { filter: { owner_id: ada.id }, count: 0 },
      { filter: { q: 'secret' }, count: 1 },
      { filter: {}, count: 1 },
      { filter: { ownerId: ada.id }, count: 1 },
    ]
    for (const attempt of attempts) {
      const response = await eve.post(`/${sample.table}/bulk`, { action: 'delete', ...attempt })
      expect(response.body).not.toContain('Secret')
    }
    expect((await ada.get(`/${sample.table}/`)).json()).toMatchObject({ data: [{ id }], count: 1 })
  })
})
