import { describe, expect, test, vi } from 'vitest'
import { buildTestApp, knownPassword, type Method, type RequestOptions } from './build-test-app.ts'

/** Normalization takes time quadratic in the number of combining marks. */
const marks = '\u0316\u0301'
const body = `a${marks.repeat(14_000)}@example.com`
const address = `a${marks.repeat(3_000)}@example.com`

/** The longest text that may be normalized or matched. */
const MAX_UNITS = 1024

describe('a text of combining marks', () => {
  const ways: [string, Method, string, (token: string) => RequestOptions, number][] = [
    ['sign-up', 'POST', '/users/signup', () => ({ json: { email: body, password: knownPassword } }), 422],
    ['log-in', 'POST', '/login/access-token', () => ({ form: { username: address, password: 'x' } }), 400],
    [
      'a password',
      'POST',
      '/login/access-token',
      () => ({ form: { username: 'a@example.com', password: address } }),
      400,
    ],
    ['a confirmation', 'POST', '/users/me/confirm', (token) => ({ token, json: { password: address } }), 422],
    ['the own account', 'PATCH', '/users/me', (token) => ({ token, json: { email: body } }), 422],
    ['a new account', 'POST', '/users/', (token) => ({ token, json: { email: body, password: knownPassword } }), 422],
    [
      'an import',
      'POST',
      '/users/import',
      (token) => ({ token, json: { rows: [{ email: body }, { email: body }] } }),
      200,
    ],
    ['another account', 'PATCH', '/users/{id}', (token) => ({ token, json: { email: body } }), 422],
    ['recovery', 'POST', `/password-recovery/${encodeURIComponent(address.slice(0, 2000))}`, () => ({}), 200],
    [
      'the mail of recovery',
      'POST',
      `/password-recovery-html-content/${encodeURIComponent(address.slice(0, 2000))}`,
      (token) => ({ token }),
      404,
    ],
  ]

  test.each(ways)('is never normalized completely: %s', async (_what, method, url, options, status) => {
    const { newUser, request } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const normalize = vi.spyOn(String.prototype, 'normalize')
    const response = await request(method, url.replace('{id}', root.id), options(root.token))
    expect(response.statusCode).toBe(status)
    const lengths = normalize.mock.contexts.map((text) => String(text).length)
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(MAX_UNITS)
  })

  test('is not matched with the pattern of addresses', async () => {
    const { request } = await buildTestApp()
    const matched = vi.spyOn(RegExp.prototype, 'test')
    const response = await request('POST', '/users/signup', { json: { email: body, password: 'x'.repeat(2000) } })
    expect(response.statusCode).toBe(422)
    const lengths = matched.mock.contexts.map((expression, index) => {
      const isOurs = (expression as RegExp).flags === 'u'
      return isOurs ? (matched.mock.calls[index]?.[0].length ?? 0) : 0
    })
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(MAX_UNITS)
  })
})

describe('an address', () => {
  test.each([
    ['65 characters before the @', `${'a'.repeat(65)}@example.com`],
    ['a dot at the beginning', '.a@example.com'],
    ['a dot before the @', 'a.@example.com'],
    ['two dots', 'a..b@example.com'],
    ['a Hangul filler', 'ad\u1160a@example.com'],
    ['a Hangul choseong filler', 'ad\u115fa@example.com'],
    ['a compatibility filler', 'ad\u3164a@example.com'],
    ['a half-width filler', 'ad\uffa0a@example.com'],
    ['a zero width joiner', 'ad\u200da@example.com'],
    ['a soft hyphen', 'ad\u00ada@example.com'],
    ['a filler in the domain', 'ada@exa\u1160mple.com'],
  ])('with %s is refused', async (_what, email) => {
    const { request, newUser } = await buildTestApp()
    const { token } = await newUser()
    const detail = [{ loc: ['body', 'email'], msg: 'Value is not a valid email address', type: 'pattern' }]
    const signUp = await request('POST', '/users/signup', { json: { email, password: knownPassword } })
    expect([signUp.statusCode, signUp.json()]).toEqual([422, { detail }])
    const change = await request('PATCH', '/users/me', { token, json: { email } })
    expect([change.statusCode, change.json()]).toEqual([422, { detail }])
  })

  test.each(['a'.repeat(64) + '@example.com', 'a.b.c@example.com', 'jörg@münchen.example', '李雷@例子.公司'])(
    '%s is accepted',
    async (email) => {
      const { request } = await buildTestApp()
      const response = await request('POST', '/users/signup', { json: { email, password: knownPassword } })
      expect(response.statusCode).toBe(200)
    },
  )
})
