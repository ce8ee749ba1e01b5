import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from '../test/build-test-app.ts'

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
