import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ask } from '../../tests/support/http.ts'
import { startServer } from '../../tests/support/running-server.ts'
import { STOP_MS } from '../platform/stop-times.ts'
import { buildTestApp, type Person } from '../test/build-test-app.ts'
import { createTestDatabase, endless } from '../test/databases.ts'
import { newFolder } from '../test/new-folder.ts'

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
  const [ada, ben] = [await newUser({ is_superuser: true }), await newUser({ is_superuser: true })]
  const read = store.read.bind(store)
  vi.spyOn(store, 'read').mockImplementation((work, options) =>
    read(async (db) => {
      await endless(db)
      return work(db)
    }, options),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const send = (path: string, { token }: Person) =>
    fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  const asked = [
    send('/users/export', ada),
    send('/users/export', ada),
    send('/users/export', ben),
    send('/users/?q=x', ada),
    send('/users/?q=x', ada),
  ]
  await expect.poll(() => [context.reads.exports(), context.reads.load()]).toEqual([2, { running: 1, waiting: 1 }])
  await app.close()
  const responses = await Promise.all(asked)
  for (const response of responses)
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true])
})

test('a stop under load answers every request on a kept connection', async () => {
  const { app, newUser } = await buildTestApp({}, { database: await createTestDatabase({ shared: true }) })
  const { token } = await newUser({ is_superuser: true })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const stopping = new AbortController()
  const statuses: number[] = []
  let afterwards = 0
  const clients = Array.from({ length: 30 }, async (_, index) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let isKept = true; isKept;) {
      const { status, headers } = await (index % 2
        ? ask('GET', `${url}/api/v1/users/`, { token, agent })
        : ask('PATCH', `${url}/api/v1/users/me`, { token, agent, json: { full_name: `${index} ${statuses.length}` } }))
      statuses.push(status)
      if (stopping.signal.aborted) afterwards += 1
      isKept = headers.connection !== 'close'
    }
    agent.destroy()
  })
  await expect.poll(() => statuses.length).toBeGreaterThan(60)
  stopping.abort()
  await app.close()
  await Promise.all(clients)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(afterwards).toBeGreaterThanOrEqual(30)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a stop waits for a download, and ends one that nobody reads', async () => {
  const { app } = await buildTestApp()
  app.get(
    '/endless',
    async () =>
      new Readable({
        read() {
          this.push('x'.repeat(1_000))
        },
      }),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${url}/endless`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let isClosed = false
  const closed = app.close().then(() => (isClosed = true))
  await sleep(STOP_MS.idleConnections)
  vi.advanceTimersByTime(STOP_MS.connections - 1)
  await sleep(50)
  expect(isClosed).toBe(false)
  vi.advanceTimersByTime(1)
  await closed
  await expect(response.text()).rejects.toThrow('terminated')
})

test('SIGTERM ends a server, which exits with code 0', async () => {
  const server = await startServer(newFolder())
  expect(await server.stop()).toBe(0)
})
