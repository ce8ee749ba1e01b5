import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildTestApp, nobody, statusAndBody, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { connectTo, getRequest, listen } from './send-bytes.ts'

const host = 'Host: x\r\n'
const second = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
const logout = `POST /api/v1/logout HTTP/1.1\r\n${host}`
const chunked = `${logout}Transfer-Encoding: chunked\r\n`
const bare = /\r\n\r\n\{"detail":"[A-Z][\w ]+"\}$/

/** Sends a body as it stands, with any type and method. */
function sendRaw({ app }: TestApp, method: string, path: string, type?: string, payload?: string, token?: string) {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(type !== undefined && { 'content-type': type }),
  }
  const body = payload !== undefined && { payload }
  return app.inject({ method: method as 'OPTIONS', url: `/api/v1${path}`, headers, ...body })
}

describe('requests with ambiguous length', () => {
  const faults: [string, string][] = [
    ['a length and chunks', `${logout}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`],
    ['chunks and a length', `${chunked}Content-Length: 4\r\n\r\n0\r\n\r\n${second}`],
    ['two lengths', `${logout}Content-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`],
    ['two equal lengths', `${logout}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${second}`],
    ['a list of lengths', `${logout}Content-Length: 0, 0\r\n\r\n${second}`],
    ['a length with a sign', `${logout}Content-Length: +0\r\n\r\n${second}`],
    ['a negative length', `${logout}Content-Length: -1\r\n\r\n${second}`],
    ['a length in hex', `${logout}Content-Length: 0x0\r\n\r\n${second}`],
    ['a blank before the colon', `${logout}Content-Length : 5\r\n\r\n${second}`],
    ['a folded header', `${logout}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${second}`],
    ['lines that end with LF', `POST /api/v1/logout HTTP/1.1\nHost: x\n\n${second}`],
    ['lines that end with CR', `GET /livez HTTP/1.1\rHost: x\r\r${second}`],
    ['a bare LF in a header', `${logout}X: a\nContent-Length: 0\r\n\r\n${second}`],
    ['a coding like chunked', `${logout}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`],
    ['chunked and then another coding', `${logout}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${second}`],
    ['two codings', `${chunked}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n${second}`],
    ['chunks in HTTP/1.0', `POST /api/v1/logout HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`],
    ['a chunk of negative length', `${chunked}\r\n-1\r\nab\r\n0\r\n\r\n${second}`],
    ['a chunk of 0x2', `${chunked}\r\n0x2\r\nab\r\n0\r\n\r\n${second}`],
    ['a chunk of more than 2^64', `${chunked}\r\nfffffffffffffffff\r\nab\r\n0\r\n\r\n${second}`],
    ['chunks that end with LF', `${chunked}\r\n2\nab\n0\n\n${second}`],
    ['a chunk that is longer than it says', `${chunked}\r\n1\r\nabc\r\n0\r\n\r\n${second}`],
    ['a line break in a chunk’s extension', `${chunked}\r\n2;a="x\ny"\r\nab\r\n0\r\n\r\n${second}`],
    ['a NUL in a header', `${logout}X: a\0b\r\n\r\n${second}`],
    ['a NUL in the address', `GET /li\0vez HTTP/1.1\r\n${host}\r\n${second}`],
    ['another protocol', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${second}`],
    ['another version', `GET /livez HTTP/9.1\r\n${host}\r\n${second}`],
    ['no HTTP at all', 'HELO example.com\r\n\r\n'],
  ]

  // All on one server, because it keeps each connection for a second after closing its side.
  test('are rejected, their connection closed, and the rest ignored', async () => {
    const send = await listen(await buildTestApp())
    const responses = await Promise.all(faults.map(async ([what, bytes]) => ({ what, ...(await send(bytes)) })))
    for (const { what, text, statuses } of responses) {
      // A 401 may come before the server finds the fault in the body.
      expect.soft([what, statuses.filter((status) => status !== 401)]).toEqual([what, [400]])
      expect.soft(statuses.length, what).toBeLessThanOrEqual(2)
      expect.soft(text, what).toMatch(/\r\nConnection: close\r\n/)
      expect.soft(text, what).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/)
      expect.soft(text, what).toMatch(bare)
    }
  })

  const inBody = `GET /livez HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`

  test.each([
    ['a request in the body of another', inBody],
    ['a request in a chunk', `${chunked}\r\n${second.length.toString(16)}\r\n${second}\r\n0\r\n\r\n`],
    ['a request in a trailer', `${chunked}\r\n0\r\nX: ${second.replaceAll('\r\n', ' ')}\r\n\r\n`],
  ])('%s gets one response', async (_what, bytes) => {
    const send = await listen(await buildTestApp())
    expect((await send(bytes)).statuses).toEqual([bytes.startsWith('GET') ? 200 : 401, 404])
  })

  test.each([
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['two tokens', `${logout}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`],
    ['two content types', `${logout}Content-Type: text/plain\r\nContent-Type: application/json\r\n\r\n`],
  ])('%s: 400', async (_what, bytes) => {
    const send = await listen(await buildTestApp())
    const { text, statuses } = await send(bytes)
    expect(statuses).toEqual([400, 404])
    expect(text).toContain('\r\n\r\n{"detail":"Bad Request"}')
  })

  test('two tokens, one of them valid: 400, in either order', async () => {
    const testApp = await buildTestApp()
    const { token } = await testApp.newUser()
    const send = await listen(testApp)
    for (const [one, two] of [
      [token, 'x'],
      ['x', token],
      [token, token],
    ]) {
      const headers = `Authorization: Bearer ${one}\r\nauthorization: Bearer ${two}\r\n`
      const { statuses } = await send(`GET /api/v1/users/me HTTP/1.1\r\n${host}${headers}\r\n`)
      expect(statuses).toEqual([400, 404])
    }
  })
})

const open = async (testApp: TestApp) => connectTo(await testApp.listen(), { allowHalfOpen: true })

describe('a misbehaving client', () => {
  test('that keeps the connection after an error is disconnected and does not delay the stop', async () => {
    const testApp = await buildTestApp()
    const client = await open(testApp)
    client.resume().write('HELO example.com\r\n\r\n')
    await once(client, 'end')
    await testApp.app.close()
    expect(client.writable).toBe(true)
  })

  test('that sends invalid HTTP during a response gets no second response inside the first', async () => {
    const testApp = await buildTestApp()
    testApp.app.get('/begun', (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-length': '1000' }).write('begun')
    })
    const client = await open(testApp)
    let text = ''
    client.on('data', (chunk: Buffer) => (text += chunk.toString()))
    client.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(client, 'data')
    client.write('HELO example.com\r\n\r\n')
    await once(client, 'end')
    expect(text).toMatch(/^HTTP\/1.1 200 [^]*begun$/)
  })

  test('that aborts its upload does not count as a database failure', async () => {
    const testApp = await buildTestApp()
    const { app, log } = testApp
    const client = await open(testApp)
    const type = 'Content-Type: application/x-www-form-urlencoded\r\n'
    client.write(`POST /api/v1/login/access-token HTTP/1.1\r\n${host}${type}Content-Length: 100\r\n\r\nusername=`)
    const [request] = (await once(app.server, 'request')) as [IncomingMessage]
    client.resetAndDestroy()
    await new Promise((resolve) => request.once('close', resolve))
    await app.close()
    expect(log.unexpected()).toEqual([])
  })
})

describe('a client that sends many requests at once', () => {
  /** Resolves when the server closes its next connection. A client that does not read cannot see that. */
  async function closedByServer({ app }: TestApp): Promise<void> {
    const [socket] = (await once(app.server, 'connection')) as [Socket]
    await once(socket, 'close')
  }

  test('is served in order, one request at a time', async () => {
    const testApp = await buildTestApp()
    let running = 0
    let most = 0
    testApp.app.get('/slow/:number', (request, reply) => {
      running += 1
      most = Math.max(most, running)
      setTimeout(() => {
        running -= 1
        reply.send(request.params)
      }, 5)
    })
    const paths = Array.from({ length: 10 }, (_, number) => getRequest(`/slow/${number}`))
    const send = await listen(testApp)
    const { text, statuses } = await send(paths.join(''))
    expect(statuses).toEqual([...paths.map(() => 200), 404])
    expect(text.match(/"number":"\d"/g)).toEqual(paths.map((_, number) => `"number":"${number}"`))
    expect(most).toBe(1)
  })

  test('and reads no response causes at most one, and is disconnected', async () => {
    const testApp = await buildTestApp()
    const large = Buffer.alloc(8_000_000)
    let made = 0
    testApp.app.get('/large', async () => {
      made += 1
      return large
    })
    const closed = closedByServer(testApp)
    const client = await open(testApp)
    client.pause().write(getRequest('/large').repeat(1_000))
    await closed
    expect(made).toBeLessThanOrEqual(1)
  })

  test('and stops reading is disconnected after a minute', async () => {
    const testApp = await buildTestApp()
    expect(testApp.app.server.timeout).toBe(60_000)
    testApp.app.server.timeout = 100
    testApp.app.get('/large', async () => Buffer.alloc(8_000_000))
    const closed = closedByServer(testApp)
    const client = await open(testApp)
    client.pause().write(getRequest('/large'))
    await closed
  })

  test('and waits is not disconnected while a handler works', async () => {
    const testApp = await buildTestApp()
    const timeouts: (number | undefined)[] = []
    testApp.app.get('/slow', async ({ socket }) => {
      timeouts.push(socket.timeout)
      return {}
    })
    testApp.app.addHook('onResponse', async ({ socket }) => void timeouts.push(socket.timeout))
    const send = await listen(testApp)
    await send(getRequest('/slow').repeat(2))
    expect(timeouts.slice(0, 3)).toEqual([0, 60_000, 0])
  })

  test('for the API docs shares buffers with all clients', async () => {
    const { app } = await buildTestApp()
    const payloads: unknown[] = []
    app.addHook('onSend', async (_request, _reply, payload) => void payloads.push(payload))
    for (const encoding of ['', '', 'gzip', 'gzip'])
      await app.inject({ url: '/docs/swagger-ui-bundle.js', headers: { 'accept-encoding': encoding } })
    expect(payloads.map((payload) => Buffer.isBuffer(payload))).toEqual([true, true, true, true])
    expect(new Set(payloads).size).toBe(2)
  })
})

describe('unusual requests', () => {
  test('Expect is fulfilled, or rejected in JSON', async () => {
    const send = await listen(await buildTestApp())
    const refused = await send(`${logout}Expect: miracles\r\nContent-Length: 0\r\n\r\n`)
    expect(refused.statuses).toEqual([417])
    expect(refused.text).toMatch(bare)
    const met = await send(`${logout}Expect: 100-continue\r\nContent-Length: 0\r\n\r\n`)
    expect(met.statuses).toEqual([100, 401, 404])
  })

  test('a request has 30 seconds to arrive, head and body', async () => {
    const testApp = await buildTestApp()
    const { server } = testApp.app
    expect(server.headersTimeout).toBe(30_000)
    const send = await listen(testApp)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const arrived = once(server, 'request')
    const type = 'Content-Type: application/x-www-form-urlencoded'
    const answer = send(`POST /api/v1/login/access-token HTTP/1.1\r\n${host}${type}\r\nContent-Length: 9\r\n\r\nx`)
    const [request] = (await arrived) as [IncomingMessage]
    vi.advanceTimersByTime(29_999)
    expect(request.socket.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect((await answer).statuses).toEqual([408])
  })

  test('oversized headers are 431', async () => {
    const send = await listen(await buildTestApp())
    const { statuses, text } = await send(`GET / HTTP/1.1\r\n${host}X: ${randomBytes(20_000).toString('hex')}\r\n\r\n`)
    expect(statuses).toEqual([431])
    expect(text).toMatch(bare)
  })

  test('data after a 431 is not read', async () => {
    const testApp = await buildTestApp()
    const send = await listen(testApp)
    const met = once(testApp.app.server, 'connection')
    const { statuses } = await send(`GET / HTTP/1.1\r\n${host}${`X: ${'x'.repeat(1000)}\r\n`.repeat(4000)}`)
    const [socket] = (await met) as [Socket]
    expect(statuses).toEqual([431])
    expect(socket.bytesRead).toBeLessThan(1_000_000)
  })

  test('CONNECT and Upgrade are not supported', async () => {
    const testApp = await buildTestApp()
    const send = await listen(testApp)
    expect((await send(`CONNECT example.com:80 HTTP/1.1\r\n${host}\r\n`)).statuses).toEqual([])
    const upgrade = `GET /api/v1/users/me HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\n`
    expect((await send(`${upgrade}Upgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n`)).statuses).toEqual([401, 404])
  })

  test.each([3_000, 10_000])('a body that is nested %i times is refused', async (depth) => {
    const { root } = await buildPeopledApp()
    const bodies = [
      '['.repeat(depth) + ']'.repeat(depth),
      `{"email":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    ]
    for (const body of bodies) {
      const headers = { 'content-type': 'application/json' }
      const response = await root.post('/users/', Buffer.from(body), { headers })
      // The status depends on the version of Node.
      expect([413, 422]).toContain(response.statusCode)
    }
  })

  const methods = ['QUERY', 'TRACE', 'OPTIONS', 'PROPFIND', 'LOCK', 'PURGE', 'LINK', 'MKCOL', 'SEARCH'] as const

  test.each(methods)('%s is 405 on known paths, and with any body', async (method) => {
    const testApp = await buildTestApp()
    const { supportedMethods } = testApp.app
    const isServed = supportedMethods.includes(method)
    for (const body of [undefined, '{', '{}', 'x'])
      for (const type of [undefined, 'application/json', 'text/plain', ';;']) {
        const known = await sendRaw(testApp, method, '/users/', type, body)
        expect(statusAndBody(known)).toEqual([405, { detail: 'Method Not Allowed' }])
        expect(known.headers.allow).toBe(isServed ? 'GET, HEAD, POST' : supportedMethods.join(', '))
        const unknown = await sendRaw(testApp, method, '/nothing', type, body)
        expect(unknown.statusCode).toBe(isServed ? 404 : 405)
      }
  })
})

describe('a body sent to an operation without one', () => {
  const bodies = ['', '{', '{}', 'a=b', 'x'.repeat(100_000), '\0']
  const types = [undefined, 'application/json', 'application/x-www-form-urlencoded', 'text/plain', 'a/b; c', ';;']

  test.each([
    ['POST', '/login/test-token'],
    ['DELETE', `/users/${nobody}`],
    ['GET', '/users/me'],
  ] as const)('%s %s: is ignored, of any type and length', async (method, url) => {
    const { app, root } = await buildPeopledApp()
    const send = async (type?: string, body?: string) =>
      statusAndBody(await sendRaw(app, method, url, type, body, root.token))
    const without = await send()
    expect(without[0]).toBe(method === 'DELETE' ? 404 : 200)
    for (const type of types) for (const body of bodies) expect(await send(type, body)).toEqual(without)
  })

  test('in chunks is ignored, and the next request on the connection is served', async () => {
    const testApp = await buildTestApp()
    const { token } = await testApp.newUser()
    const send = await listen(testApp)
    for (const body of ['0\r\n\r\n', '2\r\n{x\r\n0\r\n\r\n']) {
      const headers = `${host}Authorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n`
      const { statuses } = await send(`POST /api/v1/login/test-token HTTP/1.1\r\n${headers}\r\n${body}`)
      expect(statuses).toEqual([200, 404])
    }
  })

  test('on an unknown path gets 404', async () => {
    const app = await buildTestApp()
    for (const type of types)
      for (const body of bodies)
        expect(statusAndBody(await sendRaw(app, 'POST', '/nothing', type, body))).toEqual([
          404,
          { detail: 'Not Found' },
        ])
  })
})

describe('X-Forwarded-For', () => {
  const warning = 'X-Forwarded-For is ignored: TRUSTED_PROXIES does not name this peer'
  const headers = { 'x-forwarded-for': '198.51.100.7' }

  test.each([
    ['', '192.0.2.9', 1],
    ['10.0.0.0/8', '192.0.2.9', 1],
    ['10.0.0.0/8', '10.0.0.9', 0],
  ])('with TRUSTED_PROXIES "%s" from %s causes %i warnings', async (trusted, ip, times) => {
    const { anonymous, log } = await buildTestApp({ TRUSTED_PROXIES: trusted })
    await anonymous.get('/users/me', { ip })
    expect(log.text()).not.toContain(warning)
    for (let i = 0; i < 3; i += 1) await anonymous.get('/users/me', { ip, headers })
    expect(log.text().split(warning)).toHaveLength(times + 1)
  })
})
