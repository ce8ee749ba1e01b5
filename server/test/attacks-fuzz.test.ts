import { expect, test } from 'vitest'
import { type Insiders, malformedRequests } from '../../tests/support/malformed-requests.ts'
import { addRow, anyResource } from './any-resource.ts'
import { buildTestApp, type TestApp } from './build-test-app.ts'

const REQUESTS = 5_000
/** The number of requests with the same users, whom some of the requests delete, deactivate or log out. */
const REQUESTS_PER_USER = 100

async function gather({ newUser }: TestApp): Promise<Insiders> {
  const ada = await newUser()
  const root = await newUser({ is_superuser: true })
  const rows = await Promise.all(anyResource.flatMap((sample) => [addRow(ada, sample), addRow(root, sample)]))
  return { tokens: [ada.token, root.token], ids: [ada.id, root.id, ...rows], emails: [ada.email, root.email] }
}

/** Whether the body has the format of errors with this status in the contract. */
function isError(status: number, body: unknown): boolean {
  const { detail, ...more } = body as { detail?: unknown }
  if (Object.keys(more).length > 0) return false
  if (status !== 422) return typeof detail === 'string'
  return Array.isArray(detail) && detail.every(({ loc, msg, type }) => Array.isArray(loc) && Boolean(msg && type))
}

test('malformed requests get JSON errors, and never a server error', async () => {
  const testApp = await buildTestApp({ TRUSTED_PROXIES: '10.0.0.1' })
  let people = await gather(testApp)
  let number = 0
  const statuses = new Set<number>()
  for (const { method, url, headers, body } of malformedRequests(REQUESTS, 2026, () => people)) {
    const response = await testApp.app.inject({
      method,
      url,
      headers,
      // Each request comes from another address, because the server limits requests per address.
      remoteAddress: `2001:db8:${(number >> 8).toString(16)}:${(number & 255).toString(16)}::1`,
      ...(body && { payload: body }),
    })
    const what = `request ${number}: ${method} ${url.slice(0, 200)}`
    const { statusCode } = response
    statuses.add(statusCode)
    expect([what, statusCode < 500]).toEqual([what, true])
    if (statusCode >= 400 && method !== 'HEAD' && !isError(statusCode, response.json()))
      throw new Error(`${what}: ${statusCode} ${response.body}`)
    number += 1
    if (number % REQUESTS_PER_USER === 0) people = await gather(testApp)
  }
  // The requests reached authentication, validation and handlers.
  expect(Array.from(statuses)).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 409, 413, 415, 422]))
})
