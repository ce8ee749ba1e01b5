import { describe, expect, test } from 'vitest'
import { answerOf, buildTestApp, nobody } from './build-test-app.ts'

describe('a request that does not fit', () => {
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
      ['PATCH', '/api/v1/items/', 'GET, HEAD, POST'],
      ['DELETE', '/api/v1/items', 'GET, HEAD, POST'],
      ['GET', '/api/v1/login/access-token', 'POST'],
      ['OPTIONS', '/api/v1/items/', 'GET, HEAD, POST'],
      // Not an account by the name of `signup`.
      ['GET', '/api/v1/users/signup', 'POST'],
      ['PATCH', '/api/v1/users/signup', 'POST'],
      ['PUT', '/api/v1/users/signup', 'POST'],
      ['DELETE', '/api/v1/users/signup/', 'POST'],
      ['PUT', '/api/v1/users/me', 'GET, HEAD, PATCH, DELETE'],
      ['POST', `/api/v1/items/${nobody}`, 'GET, HEAD, PUT, DELETE'],
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
