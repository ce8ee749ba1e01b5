import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { samples } from '../../../tests/support/samples.ts'
import { anyResource } from '../../test/any-resource.ts'
import { statusAndBody, buildTestApp, nobody } from '../../test/build-test-app.ts'
import { buildTestAppWith } from '../../test/people.ts'

describe('an invalid request', () => {
  test('with another content type, or none, is 415', async () => {
    const { app, newUser } = await buildTestApp()
    const { token } = await newUser()
    const authorization = `Bearer ${token}`
    const post = async (url: string, contentType: string | undefined, payload: string) => {
      const headers = { authorization, ...(contentType !== undefined && { 'content-type': contentType }) }
      return app.inject({ method: url.endsWith('/me') ? 'PATCH' : 'POST', url, headers, payload: Buffer.from(payload) })
    }
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined]) {
      const response = await post('/api/v1/users/me', contentType, '{"full_name":"x"}')
      expect(statusAndBody(response)).toEqual([415, { detail: 'Content-Type should be application/json' }])
    }
    const login = await post('/api/v1/login/access-token', 'application/json', '{"username":"a","password":"b"}')
    expect(statusAndBody(login)).toEqual([415, { detail: 'Content-Type should be application/x-www-form-urlencoded' }])
    expect((await post('/api/v1/users/me', 'Application/JSON; charset=UTF-8', '{"full_name":"x"}')).statusCode).toBe(
      200,
    )
  })

  test('with a body over 128 KiB is 413', async () => {
    const { tryLogIn, ada } = await buildTestAppWith({ ada: {} })
    const json = { full_name: 'y'.repeat(128 * 1024) }
    expect(statusAndBody(await ada.patch('/users/me', json))).toEqual([413, { detail: 'Request body is too large' }])
    expect((await tryLogIn('x'.repeat(128 * 1024), 'y')).statusCode).toBe(413)
  })

  test.each(anyResource)('with the longest texts of $table is valid, however JSON writes them', async (sample) => {
    const { app, newUser } = await buildTestApp()
    const { token } = await newUser()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const [longest] = sample.fields.toSorted((one, other) => other.maxLength - one.maxLength)
    const filled = sample.fields.filter((field) => field === longest || field.name === sample.searched[0])
    const texts = Object.fromEntries(filled.map(({ name, maxLength }) => [name, '😀'.repeat(maxLength)]))
    const payload = JSON.stringify({ ...sample.least, ...texts }).replaceAll('😀', String.raw`\ud83d\ude00`)
    const added = await app.inject({ method: 'POST', url: `/api/v1/${sample.table}/`, headers, payload })
    expect([added.statusCode, added.json()]).toEqual([200, expect.objectContaining(texts)])
  })

  test('with another method is 405 and names the allowed ones', async () => {
    const { app } = await buildTestApp()
    const cases = [
      ['PATCH', '/api/v1/users/', 'GET, HEAD, POST'],
      ['DELETE', '/api/v1/users', 'GET, HEAD, POST'],
      ['GET', '/api/v1/login/access-token', 'POST'],
      ['OPTIONS', '/api/v1/users/', 'GET, HEAD, POST'],
      // `signup` is not a user id.
      ['GET', '/api/v1/users/signup', 'POST'],
      ['PATCH', '/api/v1/users/signup', 'POST'],
      ['PUT', '/api/v1/users/signup', 'POST'],
      ['DELETE', '/api/v1/users/signup/', 'POST'],
      ['PUT', '/api/v1/users/me', 'GET, HEAD, PATCH, DELETE'],
      ['POST', `/api/v1/users/${nobody}`, 'GET, HEAD, PATCH, DELETE'],
      ...samples.map(({ table }) => ['POST', `/api/v1/${table}/${nobody}`, 'GET, HEAD, PUT, DELETE'] as const),
    ] as const
    for (const [method, url, allow] of cases) {
      const response = await app.inject({ method, url })
      expect([url, ...statusAndBody(response)]).toEqual([url, 405, { detail: 'Method Not Allowed' }])
      expect(response.headers.allow?.toString().split(', ').toSorted()).toEqual(allow.split(', ').toSorted())
    }
  })

  test('to an unknown path is 404', async () => {
    const { app } = await buildTestApp()
    for (const url of [
      '/api',
      '/api/',
      '/api/v1',
      '/api/v2/users/',
      '/api/v1/users/a/b',
      '/api/v1/nothing',
      '/api/v1/login',
    ])
      for (const method of ['GET', 'POST', 'DELETE'] as const)
        expect([url, ...statusAndBody(await app.inject({ method, url }))]).toEqual([url, 404, { detail: 'Not Found' }])
  })

  test('with an undecodable path is treated like an unknown name', async () => {
    const { app, anonymous, newUser } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const unknown = statusAndBody(await anonymous.post('/password-recovery/nobody@example.com'))
    for (const bytes of ['%ff', '%zz', '%', '%E0%A4%A']) {
      expect(statusAndBody(await anonymous.post(`/password-recovery/${bytes}`))).toEqual(unknown)
      expect((await anonymous.get(`/users/${bytes}`)).statusCode).toBe(401)
      expect((await root.get(`/users/${bytes}`)).statusCode).toBe(422)
      expect((await app.inject({ method: 'POST', url: `/${bytes}` })).statusCode).toBe(404)
    }
  })

  test('to the API is recognized in every spelling of the path', async () => {
    const { app, newUser } = await buildTestApp()
    const { token } = await newUser()
    const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    for (const url of ['/%61pi/v1/users/me', 'http://elsewhere.test/api/v1/users/me']) {
      const { statusCode, headers } = await get(url)
      expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-store'])
    }
    for (const url of ['/%61pi/v1/nope', 'http://elsewhere.test/api/v1/nope'])
      expect([url, ...statusAndBody(await get(url))]).toEqual([url, 404, { detail: 'Not Found' }])
  })

  test('gets the same response with and without a trailing slash', async () => {
    const { root } = await buildTestAppWith({ root: { is_superuser: true } })
    for (const path of ['/users', '/audit', '/users/me', '/login/test-token']) {
      const method = path.startsWith('/login') ? 'POST' : 'GET'
      const bare = await root.send(method, path)
      expect(bare.statusCode).toBe(200)
      expect((await root.send(method, `${path}/`)).body).toBe(bare.body)
    }
  })
})

test('an unavailable database causes 503 with Retry-After, never 401, also for /readyz', async () => {
  const { app, anonymous, store, newUser, log } = await buildTestApp()
  const root = await newUser({ is_superuser: true })
  expect((await app.inject('/readyz')).statusCode).toBe(200)
  await store.close()
  log.expectErrors()
  for (const [person, method, url, body] of [
    [root, 'GET', '/users/me', undefined],
    [root, 'GET', '/users/', undefined],
    [anonymous, 'POST', '/login/access-token', new URLSearchParams({ username: 'a@b.cd', password: 'x' })],
    [anonymous, 'POST', '/password-recovery/a@b.cd', undefined],
    [anonymous, 'POST', '/reset-password/', { token: 'x', new_password: 'long enough' }],
    [anonymous, 'POST', '/users/signup', { email: 'a@b.cd', password: 'long enough' }],
  ] as const) {
    const response = await person.send(method, url, body)
    expect([url, ...statusAndBody(response)]).toEqual([url, 503, { detail: 'Service temporarily unavailable' }])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
  const unready = await app.inject('/readyz')
  expect(statusAndBody(unready)).toEqual([503, { detail: 'Not ready: the database does not answer' }])
  expect(Number(unready.headers['retry-after'])).toBeGreaterThan(0)
  expect((await app.inject('/livez')).statusCode).toBe(200)
})

test('readyz names what is not ready', async () => {
  const { app, store } = await buildTestApp()
  const detail = async () => (await app.inject('/readyz')).json<{ detail: string }>().detail
  await sql`drop table locks`.execute(store.db)
  expect(await detail()).toBe('Not ready: the database cannot be written')
  await sql`drop table audit`.execute(store.db)
  expect(await detail()).toBe('Not ready: the database is not migrated')
})

test('an internal error is 500 without details', async () => {
  const { context, log, root } = await buildTestAppWith({ root: { is_superuser: true } })
  log.expectErrors()
  vi.spyOn(context.reads, 'page').mockRejectedValueOnce(new Error('the secret of the house'))
  expect(statusAndBody(await root.get('/users/'))).toEqual([500, { detail: 'Internal Server Error' }])
})
