import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import contract from '../../../openapi.json' with { type: 'json' }
import { buildTestApp } from '../../test/build-test-app.ts'

const files = ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']

test('anybody can get the contract', async () => {
  const { app } = await buildTestApp()
  const response = await app.inject({ url: '/api/v1/openapi.json' })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.json()).toEqual(contract)
})

test('the API docs load only files of this server, under the policy of every page', async () => {
  const { app } = await buildTestApp()
  const page = await app.inject({ url: '/docs' })
  const anywhereElse = await app.inject({ url: '/livez' })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toBe(anywhereElse.headers['content-security-policy'])
  const wanted = Array.from(page.body.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = '']) => url)
  expect(wanted.filter((url) => url.startsWith('/docs/'))).toEqual(
    expect.arrayContaining(files.filter((url) => url !== '/docs')),
  )
  expect(`${page.body}${(await app.inject({ url: '/docs/start.js' })).body}`).not.toMatch(/\/\/\w/)
  expect((await app.inject({ url: '/docs/swagger-ui.css' })).body).not.toMatch(/@import|url\((?!["']?data:)/)
})

test.each(files)('%s is compressed for clients that accept it', async (url) => {
  const { app } = await buildTestApp()
  const plain = await app.inject({ url })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).not.toBe('')
  for (const time of ['first', 'second']) {
    const zipped = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    expect([time, zipped.headers['content-encoding']]).toEqual([time, 'gzip'])
    expect(zipped.headers.vary).toContain('Accept-Encoding')
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
  }
})

test('API_DOCS=off disables the contract and the API docs', async () => {
  const { app } = await buildTestApp({ API_DOCS: 'off' })
  const response = await app.inject({ url: '/api/v1/openapi.json' })
  expect([response.statusCode, response.json()]).toEqual([404, { detail: 'Not Found' }])
  for (const url of files) expect((await app.inject({ url })).body).not.toContain('wagger')
})
