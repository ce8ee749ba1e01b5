import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-test-app.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

test('every response of the API has an id, which is in the log', async () => {
  const { app, log } = await buildTestApp()
  for (const url of ['/api/v1/instance', '/api/v1/users/me', '/api/v1/nothing', '/api/v1/users/%zz', '/api/nothing']) {
    const { headers } = await app.inject({ url })
    expect([url, headers['x-request-id']]).toEqual([url, expect.stringMatching(UUID)])
    expect(log.lines()).toContainEqual(expect.objectContaining({ msg: 'request', reqId: headers['x-request-id'] }))
  }
  expect((await app.inject({ url: '/livez' })).headers['x-request-id']).toBeUndefined()
})

test('a failed request has the id of its log line', async () => {
  const { app, store, log } = await buildTestApp()
  log.expectErrors()
  await store.close()
  const { statusCode, headers } = await app.inject({
    method: 'POST',
    url: '/api/v1/users/signup',
    payload: { email: 'ada@example.com', password: 'correct horse' },
  })
  expect(statusCode).toBe(503)
  const failure = { msg: 'database unavailable', reqId: headers['x-request-id'] }
  expect(log.lines()).toContainEqual(expect.objectContaining(failure))
})

const proxies = { TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32, 127.0.0.1' }

async function answerTo(id: string, remoteAddress: string, settings: Record<string, string>) {
  const { app } = await buildTestApp(settings)
  const { headers } = await app.inject({ url: '/api/v1/instance', remoteAddress, headers: { 'x-request-id': id } })
  return headers['x-request-id']
}

test.each([
  ['10.1.2.3', 'abc'],
  ['2001:db8::7', 'x'.repeat(64)],
  ['::ffff:127.0.0.1', 'b0d7:a.1_x-2'],
])('the trusted proxy %s may choose the id %j', async (peer, id) => {
  expect(await answerTo(id, peer, proxies)).toBe(id)
})

test.each([
  ['127.0.0.1', 'abc', {}],
  ['192.0.2.1', 'abc', proxies],
  ['fe80::1%eth0', 'abc', proxies],
  ['127.0.0.1', '', proxies],
  ['127.0.0.1', 'x'.repeat(65), proxies],
  ['127.0.0.1', 'a b', proxies],
  ['127.0.0.1', '<script>', proxies],
])('%s may not choose the id %j', async (peer, id, settings) => {
  expect(await answerTo(id, peer, settings)).toMatch(UUID)
})

test('an application on another origin can read the id', async () => {
  const origin = 'https://app.example'
  const { app } = await buildTestApp({ CORS_ORIGINS: origin })
  const { headers } = await app.inject({ url: '/api/v1/instance', headers: { origin } })
  expect(headers['access-control-expose-headers']).toMatch(/\bX-Request-Id\b/)
})
