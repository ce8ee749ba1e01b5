import { describe, expect, test, vi } from 'vitest'
import { buildTestApp, knownPassword, type Method, statusAndBody } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'

/** The time of normalization is quadratic in the number of combining marks. */
const marks = '\u0316\u0301'
const longAddress = `a${marks.repeat(14_000)}@example.com`
const address = `a${marks.repeat(3_000)}@example.com`

/** The longest text that the server may normalize or match, in UTF-16 units. */
const MAX_UNITS = 1024

describe('a text of combining marks', () => {
  const inPath = encodeURIComponent(address.slice(0, 2000))
  const ways: [string, Method, string, unknown, number][] = [
    ['sign-up', 'POST', '/users/signup', { email: longAddress, password: knownPassword }, 422],
    ['log-in', 'POST', '/login/access-token', new URLSearchParams({ username: address, password: 'x' }), 400],
    ['a password', 'POST', '/login/access-token', new URLSearchParams({ username: 'a@b.cd', password: address }), 400],
    ['a confirmation', 'POST', '/users/me/confirm', { password: address }, 422],
    ['the own account', 'PATCH', '/users/me', { email: longAddress }, 422],
    ['a new account', 'POST', '/users/', { email: longAddress, password: knownPassword }, 422],
    ['an import', 'POST', '/users/import', { rows: [{ email: longAddress }, { email: longAddress }] }, 200],
    ['another account', 'PATCH', '/users/{id}', { email: longAddress }, 422],
    ['recovery', 'POST', `/password-recovery/${inPath}`, undefined, 200],
    ['the mail of recovery', 'POST', `/password-recovery-html-content/${inPath}`, undefined, 404],
  ]

  test.each(ways)('is never normalized completely: %s', async (_what, method, url, body, status) => {
    const { root } = await buildPeopledApp()
    const normalize = vi.spyOn(String.prototype, 'normalize')
    expect((await root.send(method, url.replace('{id}', root.id), body)).statusCode).toBe(status)
    const lengths = normalize.mock.contexts.map((text) => String(text).length)
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(MAX_UNITS)
  })

  test('is not matched with the pattern of addresses', async () => {
    const { anonymous } = await buildTestApp()
    const matched = vi.spyOn(RegExp.prototype, 'test')
    const response = await anonymous.post('/users/signup', { email: longAddress, password: 'x'.repeat(2000) })
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
    const { app, ada } = await buildPeopledApp()
    const detail = [{ loc: ['body', 'email'], msg: 'Value is not a valid email address', type: 'pattern' }]
    const signUp = await app.anonymous.post('/users/signup', { email, password: knownPassword })
    expect(statusAndBody(signUp)).toEqual([422, { detail }])
    expect(statusAndBody(await ada.patch('/users/me', { email }))).toEqual([422, { detail }])
  })

  const accepted = [`${'a'.repeat(64)}@example.com`, 'a.b.c@example.com', 'jörg@münchen.example', '李雷@例子.公司']

  test.each(accepted)('%s is accepted', async (email) => {
    const { anonymous } = await buildTestApp()
    expect((await anonymous.post('/users/signup', { email, password: knownPassword })).statusCode).toBe(200)
  })
})
