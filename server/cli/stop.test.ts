import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildTestApp, type Person } from '../test/build-test-app.ts'
import { createTestDatabase, endless } from '../test/databases.ts'

test('a stop completes current requests and does not wait for idle connections', async () => {
  const { app } = await buildTestApp({}, { realHashing: true })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = new URLSearchParams({ username: 'nobody@example.com', password: 'x' })
  const underWay = fetch(`${url}/api/v1/login/access-token`, { method: 'POST', body })
  await new Promise((resolve) => app.server.once('request', resolve))
  await app.close()
  const response = await underWay
  expect([response.status, response.headers.get('connection')]).toEqual([400, 'close'])
})

test('a stop serves requests that arrive on kept connections', async () => {
  const { app } = await buildTestApp()
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  async function get() {
    const request = httpGet(`${url}/livez`, { agent })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    return [response.statusCode, response.headers.connection, request.reusedSocket]
  }
  expect(await get()).toEqual([200, 'keep-alive', false])
  const closed = app.close()
  while (app.server.listening) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await get()).toEqual([200, 'close', true])
  await closed
})

test('a stop refuses exports and searches that are read or wait', async () => {
  const database = await createTestDatabase({ shared: true })
  const { app, context, store, newUser } = await buildTestApp({}, { database })
  const [ada, ben] = [await newUser(), await newUser()]
  const read = store.read.bind(store)
  vi.spyOn(store, 'read').mockImplementation((work, options) =>
    read(async (db) => {
      await endless(db)
      return work(db)
    }, options),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (path: string, { token }: Person) =>
    fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  const asked = [
    ask('/items/export', ada),
    ask('/items/export', ada),
    ask('/items/export', ben),
    ask('/items/?q=x', ada),
    ask('/items/?q=x', ada),
  ]
  await expect.poll(() => [context.reads.exports(), context.reads.load()]).toEqual([2, { running: 1, waiting: 1 }])
  await app.close()
  const responses = await Promise.all(asked)
  for (const response of responses) {
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true])
  }
})
