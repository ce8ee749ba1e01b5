import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildTestApp } from '../test/build-test-app.ts'
import { newFolder } from '../test/new-folder.ts'

const page = '<!doctype html><html><head><script>theme()</script></head><div id="root"></div></html>'
const name = 'A & "B" </head><script>alert(1)</script>'
const provider = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'steward', OIDC_NAME: name }

async function open(settings: Record<string, string>) {
  const spaRoot = newFolder()
  await writeFile(join(spaRoot, 'index.html'), page)
  const { app } = await buildTestApp(settings, { spaRoot })
  return (headers: Record<string, string> = {}) => app.inject({ url: '/login', headers })
}

function instanceIn(body: string): unknown {
  const [, content = ''] = /^<!doctype html><html><head><meta name="instance" content="([^"]*)" \/>/.exec(body) ?? []
  return JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

test('the page says how people log in, and its scripts stay those of the policy', async () => {
  const get = await open({ ...provider, PASSWORD_LOG_IN: 'off' })
  const { headers, body, statusCode } = await get()
  const headed = [200, 'text/html; charset=utf-8', 'no-cache', 'accept-encoding']
  expect([statusCode, headers['content-type'], headers['cache-control'], headers['vary']]).toEqual(headed)
  expect(instanceIn(body)).toEqual({ oidc: { name, log_out: null }, password_log_in: false, mail: false })
  expect(body.replace(/<meta[^>]*"[^"]*"[^>]*"[^"]*" \/>/, '')).toBe(page)
  expect(headers['content-security-policy']).toContain("script-src 'self' 'sha256-")
})

test('the page is compressed, and not sent again', async () => {
  const get = await open(provider)
  const plain = (await get()).body
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await get({ 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(unpack(rawPayload).toString()).toBe(plain)
    const again = await get({ 'accept-encoding': accepted, 'if-none-match': String(headers['etag']) })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', headers['etag']])
  }
})

test.each([
  [false, {}],
  [true, { SMTP_URL: 'smtp://localhost:2525' }],
])('without a provider, the page says so, and whether mail is set up: %s', async (mail, settings) => {
  const get = await open(settings)
  expect(instanceIn((await get()).body)).toEqual({ oidc: null, password_log_in: true, mail })
})
