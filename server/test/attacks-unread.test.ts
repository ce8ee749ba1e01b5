import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { largeResponses } from '../platform/http/plugins/large-responses.ts'
import { buildTestApp, type Person } from './build-test-app.ts'
import { newFolder } from './new-folder.ts'
import { connectTo, getRequest } from './send-bytes.ts'

const MB = 1024 ** 2
const script = Buffer.alloc(8 * MB, 'console.info(1);')

/** A listening server with a large script. */
async function setUp() {
  const spaRoot = newFolder()
  await mkdir(join(spaRoot, 'assets'))
  await writeFile(join(spaRoot, 'index.html'), '<!doctype html>')
  await writeFile(join(spaRoot, 'assets/entry-B1a2c3.js'), script)
  const testApp = await buildTestApp({}, { spaRoot, takesFiles: true })
  await testApp.listen()
  return testApp
}

/** Sends a request, and does not read the response. */
async function ask({ listeningOrigin }: { listeningOrigin: string }, path: string, token = ''): Promise<Socket> {
  const client = connectTo(listeningOrigin).pause()
  await once(client, 'connect')
  client.write(getRequest(path, token))
  return client
}

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))()

/** @returns the number of bytes until the end */
async function read(client: Socket): Promise<number> {
  let bytes = 0
  client.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume()
  if (!client.closed) await new Promise((resolve) => client.once('close', resolve))
  return bytes
}

async function upload(person: Person, bytes: Buffer): Promise<string> {
  return (await person.post('/files?name=a.bin', bytes)).json<{ id: string }>().id
}

describe('answers that their clients do not read', () => {
  test('are bounded for a network, and others get theirs', async () => {
    const { app } = await setUp()
    const first = await ask(app, '/assets/entry-B1a2c3.js')
    for (let count = 0; count < 119; count += 1) await ask(app, '/assets/entry-B1a2c3.js')
    await expect.poll(() => connectionsOf(app.server)).toBe(100)
    expect(await read(first)).toBeLessThan(script.length)
    const whole = await fetch(`${app.listeningOrigin}/assets/entry-B1a2c3.js`)
    expect(Buffer.from(await whole.arrayBuffer()).equals(script)).toBe(true)
    await expect.poll(() => connectionsOf(app.server)).toBeLessThanOrEqual(100)
  })

  test('are bounded for an account, also of its own files', async () => {
    const testApp = await setUp()
    const { app, newUser } = testApp
    const [ada, eve] = [await newUser(), await newUser()]
    const content = randomBytes(MB)
    const [hers, other] = [await upload(ada, content), await upload(eve, content)]
    for (let count = 0; count < 30; count += 1) await ask(app, `/api/v1/files/${hers}`, ada.token)
    await expect.poll(() => connectionsOf(app.server)).toBe(20)
    const whole = await fetch(`${app.listeningOrigin}/api/v1/files/${other}`, {
      headers: { authorization: `Bearer ${eve.token}` },
    })
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
  })

  test('end with their session', async () => {
    const testApp = await setUp()
    const { app, newUser } = testApp
    const ada = await newUser()
    const size = 20 * MB
    const id = await upload(ada, randomBytes(size))
    const client = await ask(app, `/api/v1/files/${id}`, ada.token)
    await once(client, 'readable')
    expect((await ada.post('/logout')).statusCode).toBe(200)
    await expect.poll(() => connectionsOf(app.server), { timeout: 10_000 }).toBe(0)
    expect(await read(client)).toBeLessThan(size)
  })
})

/** A server with one large response, and lower limits. */
async function listen(limits: object, bytes = 8 * MB) {
  const app = Fastify()
  await app.register(largeResponses, { accountOf: () => undefined, requireLiveSession: async () => {}, limits })
  const payload = Buffer.alloc(bytes, 'x')
  app.get('/large', async () => payload)
  app.get('/small', async () => 'x')
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

test('a slow reader is cut after a minute, and a second for each 64 KB', async () => {
  const app = await listen({})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const client = await ask(app, '/large')
  await once(client, 'readable')
  vi.advanceTimersByTime(60_000 + (8 * MB) / 64 - 1)
  expect(await connectionsOf(app.server)).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await read(client)).toBeLessThan(8 * MB)
})

test('of too many connections, the oldest that waits for nothing is closed first, then the oldest', async () => {
  const app = await listen({ ofNetwork: 2 })
  const [slow, done] = [await ask(app, '/large'), await ask(app, '/large')]
  await once(slow, 'readable')
  // This client has read its large response, and leaves a small one unread.
  done.resume()
  await vi.waitUntil(() => done.bytesRead > 8 * MB)
  done.write('GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
  const third = await ask(app, '/large')
  await once(done, 'close')
  expect([slow.closed, third.closed]).toEqual([false, false])
  const fourth = await ask(app, '/large')
  expect(await read(slow)).toBeLessThan(8 * MB)
  expect([third.closed, fourth.closed]).toEqual([false, false])
})

test('answers in memory take a bounded part of it', async () => {
  const app = await listen({ unsentBytes: 40 * MB }, 16 * MB)
  const clients: Socket[] = []
  for (let count = 0; count < 8; count += 1) {
    const client = await ask(app, '/large')
    await once(client, 'readable')
    clients.push(client)
  }
  // The server counts the unsent bytes of a response when the next one begins.
  await expect.poll(() => connectionsOf(app.server)).toBeLessThanOrEqual(5)
  expect(clients.at(-1)?.closed).toBe(false)
})

test('all connections with unread answers are bounded', async () => {
  const app = await listen({ inAll: 3 })
  for (let count = 0; count < 6; count += 1) await ask(app, '/large')
  await expect.poll(() => connectionsOf(app.server)).toBe(3)
})
