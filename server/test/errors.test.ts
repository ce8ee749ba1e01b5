import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answerOf, buildTestApp } from './build-test-app.ts'

const jsonType = { 'content-type': 'application/json' }
const nobody = '00000000-0000-4000-8000-000000000000'

describe('a request that does not fit', () => {
  test('malformed JSON is 422', async () => {
    const { app, newUser } = await buildTestApp()
    const { token } = await newUser()
    for (const payload of ['{', '', 'title=x', '{"title": undefined}', '\u0000']) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v1/items/',
        headers: { ...jsonType, authorization: `Bearer ${token}` },
        payload,
      })
      expect(answerOf(answer)).toEqual([
        422,
        { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] },
      ])
    }
  })

  test('JSON of another shape is 422', async () => {
    const { request, newUser } = await buildTestApp()
    const { token } = await newUser()
    for (const json of [null, [], 'text', 5, true]) {
      const answer = await request('POST', '/items/', { token, json })
      expect(answerOf(answer)).toEqual([
        422,
        { detail: [{ loc: ['body'], msg: 'Input should be an object', type: 'type' }] },
      ])
    }
  })

  test('a null where a value is required is 422', async () => {
    const { request, newUser } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const { token } = root
    const calls = [
      ['POST', '/items/', { title: null }],
      ['PUT', `/items/${nobody}`, { title: null }],
      ['PATCH', '/users/me', { email: null }],
      ['PATCH', '/users/me/password', { current_password: null, new_password: null }],
      ['POST', '/users/', { email: null, password: null }],
      ['POST', '/users/', { email: 'a@b.cd', password: 'long enough', is_active: null }],
      ['PATCH', `/users/${root.id}`, { email: null }],
      ['PATCH', `/users/${root.id}`, { password: null }],
      ['PATCH', `/users/${root.id}`, { is_active: null }],
      ['PATCH', `/users/${root.id}`, { is_superuser: null }],
      ['POST', '/users/signup', { email: null, password: 'long enough' }],
      ['POST', '/reset-password/', { token: null, new_password: 'long enough' }],
    ] as const
    for (const [method, url, json] of calls) {
      const answer = await request(method, url, { token, json })
      expect([url, answer.statusCode]).toEqual([url, 422])
    }
  })

  test('another content type is 415, and so is none', async () => {
    const { app, newUser } = await buildTestApp()
    const { token } = await newUser()
    const authorization = `Bearer ${token}`
    const post = async (url: string, contentType: string | undefined, payload: string) => {
      const headers = { authorization, ...(contentType !== undefined && { 'content-type': contentType }) }
      return app.inject({ method: 'POST', url, headers, payload: Buffer.from(payload) })
    }
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined]) {
      const answer = await post('/api/v1/items/', contentType, '{"title":"x"}')
      expect(answerOf(answer)).toEqual([415, { detail: 'Content-Type should be application/json' }])
    }
    const login = await post('/api/v1/login/access-token', 'application/json', '{"username":"a","password":"b"}')
    expect(answerOf(login)).toEqual([415, { detail: 'Content-Type should be application/x-www-form-urlencoded' }])
    expect((await post('/api/v1/items/', 'Application/JSON; charset=UTF-8', '{"title":"x"}')).statusCode).toBe(200)
  })

  test('more than 64 KiB is 413', async () => {
    const { request, newUser } = await buildTestApp()
    const { token } = await newUser()
    const json = { title: 'x', description: 'y'.repeat(64 * 1024) }
    expect(answerOf(await request('POST', '/items/', { token, json }))).toEqual([
      413,
      { detail: 'Request body is too large' },
    ])
    const form = { username: 'x'.repeat(64 * 1024), password: 'y' }
    expect((await request('POST', '/login/access-token', { form })).statusCode).toBe(413)
  })

  test('a method that a path does not take is 405, and says which it takes', async () => {
    const { app } = await buildTestApp()
    const cases = [
      ['PATCH', '/api/v1/items/', 'GET, POST'],
      ['DELETE', '/api/v1/items', 'GET, POST'],
      ['GET', '/api/v1/login/access-token', 'POST'],
      ['OPTIONS', '/api/v1/items/', 'GET, POST'],
      ['PUT', '/api/v1/users/me', 'GET, PATCH, DELETE'],
      ['POST', `/api/v1/items/${nobody}`, 'GET, PUT, DELETE'],
    ] as const
    for (const [method, url, allow] of cases) {
      const answer = await app.inject({ method, url })
      expect([url, ...answerOf(answer)]).toEqual([url, 405, { detail: 'Method Not Allowed' }])
      expect(answer.headers.allow?.toString().split(', ').toSorted()).toEqual(allow.split(', ').toSorted())
    }
  })

  test('a path that is not there is 404', async () => {
    const { app } = await buildTestApp()
    for (const url of [
      '/api',
      '/api/',
      '/api/v1',
      '/api/v2/items/',
      '/api/v1/items/a/b',
      '/api/v1/nothing',
      '/api/v1/login',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        expect([url, ...answerOf(await app.inject({ method, url }))]).toEqual([url, 404, { detail: 'Not Found' }])
      }
    }
  })

  test('what cannot be decoded is answered like any other name that nothing has', async () => {
    const { app, request, newUser } = await buildTestApp()
    const { token } = await newUser()
    const unknown = answerOf(await request('POST', '/password-recovery/nobody@example.com'))
    for (const bytes of ['%ff', '%zz', '%', '%E0%A4%A']) {
      expect(answerOf(await request('POST', `/password-recovery/${bytes}`))).toEqual(unknown)
      expect((await request('GET', `/items/${bytes}`)).statusCode).toBe(401)
      expect((await request('GET', `/items/${bytes}`, { token })).statusCode).toBe(422)
      expect((await app.inject({ method: 'POST', url: `/${bytes}` })).statusCode).toBe(404)
    }
  })

  test('a path of the API is one however it is written', async () => {
    const { app, newUser } = await buildTestApp()
    const { token } = await newUser()
    const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    for (const url of ['/%61pi/v1/users/me', 'http://elsewhere.test/api/v1/users/me']) {
      const { statusCode, headers } = await get(url)
      expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-store'])
    }
    for (const url of ['/%61pi/v1/nope', 'http://elsewhere.test/api/v1/nope']) {
      expect([url, ...answerOf(await get(url))]).toEqual([url, 404, { detail: 'Not Found' }])
    }
  })

  test('a password of broken text is 422', async () => {
    const { request } = await buildTestApp()
    const json = { email: 'ada@example.com', password: '\ud800'.repeat(8) }
    expect((await request('POST', '/users/signup', { json })).statusCode).toBe(422)
  })

  test('stopping answers what is under way and does not wait for kept connections', async () => {
    const { app } = await buildTestApp({}, { realHashing: true })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const body = new URLSearchParams({ username: 'nobody@example.com', password: 'x' })
    const underWay = fetch(`${url}/api/v1/login/access-token`, { method: 'POST', body })
    await new Promise((resolve) => app.server.once('request', resolve))
    await app.close()
    const answer = await underWay
    expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close'])
  })

  test('stopping answers also what arrives on a connection that was kept', async () => {
    const { app } = await buildTestApp()
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    async function get() {
      const request = httpGet(`${url}/livez`, { agent })
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      await once(answer.resume(), 'end')
      return [answer.statusCode, answer.headers.connection, request.reusedSocket]
    }
    expect(await get()).toEqual([200, 'keep-alive', false])
    const closed = app.close()
    while (app.server.listening) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await get()).toEqual([200, 'close', true])
    await closed
  })

  test('an id that is not a UUID is 422', async () => {
    const { request, newUser } = await buildTestApp()
    const { token } = await newUser({ is_superuser: true })
    for (const [method, url] of [
      ['GET', '/items/1'],
      ['DELETE', '/items/not-a-uuid'],
      ['GET', '/users/signup'],
      ['DELETE', `/users/${nobody}0`],
    ] as const) {
      const answer = await request(method, url, { token })
      const loc = ['path', url.startsWith('/items') ? 'id' : 'user_id']
      expect(answerOf(answer)).toEqual([
        422,
        { detail: [{ loc, msg: 'Input should be a valid UUID', type: 'format' }] },
      ])
    }
    expect((await request('PUT', '/items/1', { token, json: {} })).statusCode).toBe(422)
  })

  test('text that no database stores is 422', async () => {
    const { request, newUser } = await buildTestApp()
    const { token } = await newUser({ is_superuser: true })
    const msg = 'String should be text without NUL characters or broken Unicode'
    for (const bad of ['a\0b', '\uD800', 'x\uDC00y']) {
      const item = await request('POST', '/items/', { token, json: { title: bad, description: bad } })
      expect(answerOf(item)).toEqual([
        422,
        {
          detail: [
            { loc: ['body', 'title'], msg, type: 'pattern' },
            { loc: ['body', 'description'], msg, type: 'pattern' },
          ],
        },
      ])
      expect((await request('PATCH', '/users/me', { token, json: { full_name: bad } })).statusCode).toBe(422)
      const email = { email: `${bad}@example.com`, password: 'long enough' }
      expect((await request('POST', '/users/signup', { json: email })).statusCode).toBe(422)
    }
  })

  test('an address that no database looks up is one that nobody has', async () => {
    const { request } = await buildTestApp()
    const form = { username: 'a\0@example.com', password: 'b\0' }
    expect(answerOf(await request('POST', '/login/access-token', { form }))[0]).toBe(400)
    expect((await request('POST', '/password-recovery/a%00b')).statusCode).toBe(200)
  })

  test('what it sent is never in the answer', async () => {
    const { request, newUser } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const marker = 'zq7'
    const bodies = [{ email: `${marker}@`, password: marker, full_name: { [marker]: 1 }, is_active: marker }]
    for (const json of bodies) {
      for (const [method, url] of [
        ['POST', '/users/signup'],
        ['POST', '/users/'],
        ['PATCH', `/users/${root.id}`],
        ['PATCH', '/users/me'],
      ] as const) {
        const answer = await request(method, url, { token: root.token, json })
        expect(answer.statusCode).toBe(422)
        expect(answer.body).not.toContain(marker)
      }
    }
    expect((await request('GET', `/items/?skip=${marker}&limit=${marker}`, { token: root.token })).body).not.toContain(
      marker,
    )
  })

  test('lists are bounded', async () => {
    const { request, newUser } = await buildTestApp()
    const { token } = await newUser({ is_superuser: true })
    for (const list of ['/users/', '/items/']) {
      const status = async (query: string) => (await request('GET', `${list}?${query}`, { token })).statusCode
      for (const query of ['', 'skip=0', 'limit=1', 'limit=100', 'skip=2147483647', 'skip=5&limit=5&page=9']) {
        expect([query, await status(query)]).toEqual([query, 200])
      }
      const wrong = ['skip=-1', 'skip=2147483648', 'limit=0', 'limit=101', 'skip=a', 'skip=', 'limit=1.5', 'skip=1e3']
      for (const query of [...wrong, 'skip=0x5', 'skip=%205', 'skip=1&skip=2', 'limit=Infinity', 'skip=NaN']) {
        expect([query, await status(query)]).toEqual([query, 422])
      }
    }
    const answer = await request('GET', '/items/?skip=-1&limit=101', { token })
    expect(answer.json()).toEqual({
      detail: [
        { loc: ['query', 'skip'], msg: 'Input should be at least 0', type: 'minimum' },
        { loc: ['query', 'limit'], msg: 'Input should be at most 100', type: 'maximum' },
      ],
    })
  })

  test('paths answer alike with and without the trailing slash', async () => {
    const { request, newUser } = await buildTestApp()
    const { token } = await newUser({ is_superuser: true })
    for (const path of ['/users', '/items', '/users/me', '/login/test-token']) {
      const method = path.startsWith('/login') ? 'POST' : 'GET'
      const bare = await request(method, path, { token })
      expect(bare.statusCode).toBe(200)
      expect((await request(method, `${path}/`, { token })).body).toBe(bare.body)
    }
  })
})

describe('a database that is away', () => {
  test('is 503 with Retry-After, never 401, and readyz follows', async () => {
    const { app, store, request, newUser, log } = await buildTestApp()
    const { token } = await newUser()
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    await store.close()
    log.expectErrors()
    for (const [method, url, options] of [
      ['GET', '/users/me', { token }],
      ['GET', '/items/', { token }],
      ['POST', '/login/access-token', { form: { username: 'a@b.cd', password: 'x' } }],
      ['POST', '/password-recovery/a@b.cd', {}],
      ['POST', '/reset-password/', { json: { token: 'x', new_password: 'long enough' } }],
      ['POST', '/users/signup', { json: { email: 'a@b.cd', password: 'long enough' } }],
    ] as const) {
      const answer = await request(method, url, options)
      expect([url, ...answerOf(answer)]).toEqual([url, 503, { detail: 'Service temporarily unavailable' }])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await app.inject('/readyz')).statusCode).toBe(503)
    expect((await app.inject('/livez')).statusCode).toBe(200)
  })
})

test('an error of ours is 500 and says nothing', async () => {
  const { request, newUser, domain, log } = await buildTestApp()
  const { token } = await newUser()
  log.expectErrors()
  domain.items.list = () => Promise.reject(new Error('the secret of the house'))
  const answer = await request('GET', '/items/', { token })
  expect(answerOf(answer)).toEqual([500, { detail: 'Internal Server Error' }])
})
