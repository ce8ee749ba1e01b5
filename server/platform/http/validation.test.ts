import { describe, expect, test } from 'vitest'
import { samples } from '../../../tests/support/samples.ts'
import { findErrors } from './validation.ts'
import { statusAndBody, buildTestApp, nobody } from '../../test/build-test-app.ts'
import { buildTestAppWith } from '../../test/people.ts'

describe('an invalid request', () => {
  test('malformed JSON is 422', async () => {
    const { app, newUser } = await buildTestApp()
    const { token } = await newUser()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const malformed = [422, { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] }]
    for (const payload of ['{', '', 'title=x', '{"title": undefined}', '\u0000']) {
      const response = await app.inject({ method: 'PATCH', url: '/api/v1/users/me', headers, payload })
      expect(statusAndBody(response)).toEqual(malformed)
    }
  })

  test('JSON of another shape is 422', async () => {
    const { ada } = await buildTestAppWith({ ada: {} })
    const detail = [{ loc: ['body'], msg: 'Input should be an object', type: 'type' }]
    for (const json of [null, [], 'text', 5, true])
      expect(statusAndBody(await ada.patch('/users/me', json))).toEqual([422, { detail }])
  })

  test('an unknown key of the filter of many rows is 422, as it would match all', async () => {
    const { root } = await buildTestAppWith({ root: { is_superuser: true } })
    const json = { action: 'delete', filter: { stauts: 'inactive' }, count: 1 }
    const { detail } = (await root.post('/users/bulk', json)).json<{ detail: object[] }>()
    const known = 'q, role, status, idle_days, never_active, confirmed, created_from, created_to'
    expect(detail[0]).toEqual({ loc: ['body', 'filter'], msg: `Input should be one of ${known}`, type: 'enum' })
  })

  test('null for a required value is 422', async () => {
    const { root } = await buildTestAppWith({ root: { is_superuser: true } })

    const calls = [
      ...samples.flatMap(({ table, searched: [name] }) => [
        ['POST', `/${table}/`, { [name]: null }] as const,
        ['PUT', `/${table}/${nobody}`, { [name]: null }] as const,
      ]),
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
    for (const [method, url, json] of calls)
      expect([url, (await root.send(method, url, json)).statusCode]).toEqual([url, 422])
  })

  test('a name with only invisible characters is 422', async () => {
    const { ada } = await buildTestAppWith({ ada: {} })
    const error = (key: string) => ({
      detail: [{ loc: ['body', key], msg: 'String should have at least 1 visible character', type: 'visible' }],
    })
    for (const text of ['\u200B', '\u202E \u202C', '\u3164', '\u2800', '\u0007', '\u{E0041}'.repeat(100)]) {
      for (const { table, least, searched } of samples) {
        const row = await ada.post(`/${table}/`, { ...least, [searched[0]]: text })
        expect(statusAndBody(row)).toEqual([422, error(searched[0])])
      }
      const user = await ada.patch('/users/me', { full_name: text })
      const control = { loc: ['body', 'full_name'], msg: 'String should be one line without control characters' }
      const others = text === '\u0007' ? [{ ...control, type: 'pattern' }] : []
      expect(statusAndBody(user)).toEqual([422, { detail: [...others, ...error('full_name').detail] }])
    }
    for (const full_name of ['', null, '\u200B👩\u200D👧'])
      expect((await ada.patch('/users/me', { full_name })).statusCode).toBe(200)
  })

  test('a password with unpaired surrogates is 422', async () => {
    const { anonymous } = await buildTestApp()
    const json = { email: 'ada@example.com', password: '\ud800'.repeat(8) }
    expect((await anonymous.post('/users/signup', json)).statusCode).toBe(422)
  })

  test('an id that is not a UUID is 422', async () => {
    const { root } = await buildTestAppWith({ root: { is_superuser: true } })
    for (const [method, url, key] of [
      ['GET', '/files/1', 'id'],
      ...samples.map(({ table }) => ['GET', `/${table}/1`, 'id'] as const),
      ['DELETE', '/users/me/tokens/not-a-uuid', 'token_id'],
      ['GET', '/users/sign-up', 'user_id'],
      ['DELETE', `/users/${nobody}0`, 'user_id'],
    ] as const) {
      const detail = [{ loc: ['path', key], msg: 'Input should be a valid UUID', type: 'format' }]
      expect(statusAndBody(await root.send(method, url))).toEqual([422, { detail }])
    }
    expect((await root.patch('/users/1', {})).statusCode).toBe(422)
    for (const { table } of samples) expect((await root.put(`/${table}/1`, {})).statusCode).toBe(422)
  })

  test('text that databases cannot store is 422', async () => {
    const { anonymous, root } = await buildTestAppWith({ root: { is_superuser: true } })
    const msg = 'String should be text without NUL characters or broken Unicode'
    for (const bad of ['a\0b', '\uD800', 'x\uDC00y']) {
      for (const { table, least, searched } of samples) {
        const texts = Object.fromEntries(searched.map((key) => [key, bad]))
        const detail = searched.map((key) => ({ loc: ['body', key], msg, type: 'pattern' }))
        expect(statusAndBody(await root.post(`/${table}/`, { ...least, ...texts }))).toEqual([422, { detail }])
      }
      expect((await root.patch('/users/me', { full_name: bad })).statusCode).toBe(422)
      const email = { email: `${bad}@example.com`, password: 'long enough' }
      expect((await anonymous.post('/users/signup', email)).statusCode).toBe(422)
    }
  })

  test('an address that databases cannot store counts as unknown', async () => {
    const { anonymous, tryLogIn } = await buildTestApp()
    expect(statusAndBody(await tryLogIn('a\0@example.com', 'b\0'))[0]).toBe(400)
    expect((await anonymous.post('/password-recovery/a%00b')).statusCode).toBe(200)
  })

  test('is never echoed in the response', async () => {
    const { root } = await buildTestAppWith({ root: { is_superuser: true } })
    const marker = 'zq7'
    for (const json of [{ email: `${marker}@`, password: marker, full_name: { [marker]: 1 }, is_active: marker }])
      for (const [method, url] of [
        ['POST', '/users/signup'],
        ['POST', '/users/'],
        ['PATCH', `/users/${root.id}`],
        ['PATCH', '/users/me'],
      ] as const) {
        const response = await root.send(method, url, json)
        expect(response.statusCode).toBe(422)
        expect(response.body).not.toContain(marker)
      }
    expect((await root.get(`/users/?skip=${marker}&limit=${marker}`)).body).not.toContain(marker)
  })

  test('skip and limit outside their bounds are 422', async () => {
    const { root } = await buildTestAppWith({ root: { is_superuser: true } })
    for (const list of ['/users/', ...samples.map(({ table }) => `/${table}/`)]) {
      const status = async (query: string) => (await root.get(`${list}?${query}`)).statusCode
      for (const query of ['', 'skip=0', 'limit=1', 'limit=100', 'skip=2147483647', 'skip=5&limit=5&page=9'])
        expect([query, await status(query)]).toEqual([query, 200])
      const wrong = ['skip=-1', 'skip=2147483648', 'limit=0', 'limit=101', 'skip=a', 'skip=', 'limit=1.5', 'skip=1e3']
      for (const query of [...wrong, 'skip=0x5', 'skip=%205', 'skip=1&skip=2', 'limit=Infinity', 'skip=NaN'])
        expect([query, await status(query)]).toEqual([query, 422])
    }
    expect((await root.get('/users/?skip=-1&limit=101')).json()).toEqual({
      detail: [
        { loc: ['query', 'skip'], msg: 'Input should be at least 0', type: 'minimum' },
        { loc: ['query', 'limit'], msg: 'Input should be at most 100', type: 'maximum' },
      ],
    })
  })
})

const price = {
  type: ['string', 'null'],
  pattern: String.raw`^(?!-0\.0{2}$)-?(0|[1-9]\d*)\.\d{2}$`,
  maxLength: 12,
  'x-decimal': { minimum: '-5.00', maximum: '99999999.99' },
}
const time = { type: ['string', 'null'], format: 'date-time', maxLength: 64, 'x-normalize': 'instant' }
const day = { type: ['string', 'null'], format: 'date', pattern: '^[1-9]' }
const values = { type: 'object', properties: { price, time, day } }
const errorsOf = (given: object) => findErrors(values, given).map(({ detail }) => detail)

describe('a decimal', () => {
  test.each(['0.00', '12.50', '-5.00', '-0.05', '99999999.99', null])('is %j', (given) => {
    expect(errorsOf({ price: given })).toEqual([])
  })

  test.each(['', '12', '12.5', '012.50', '-0.00', '+1.00', '1e3', '1.005', '1,00', ' 1.00', '１.00', '.50'])(
    'is not %j',
    (given) => {
      const detail = 'Input should be a decimal with 2 digits after the point, such as 1.50'
      expect(errorsOf({ price: given })).toEqual([detail])
    },
  )

  test('has bounds', () => {
    expect(errorsOf({ price: '-5.01' })).toEqual(['Input should be at least -5.00'])
    expect(errorsOf({ price: '100000000.00' })).toEqual(['Input should be at most 99999999.99'])
    expect(errorsOf({ price: `${'9'.repeat(5_000)}.00` })).toEqual(['String should have at most 12 characters'])
    expect(errorsOf({ price: 12.5 })).toEqual(['Input should be a text or null'])
  })
})

test('the year of a day has four digits', () => {
  for (const given of ['1000-01-01', '9999-12-31', null]) expect(errorsOf({ day: given })).toEqual([])
  expect(errorsOf({ day: '0026-11-21' })).toEqual(['Input should have a year with four digits'])
  expect(errorsOf({ day: '2026-02-30' })).toEqual(['Input should be a valid date'])
})

describe('a time', () => {
  test.each([
    ['2026-11-21T14:03:00Z', '2026-11-21T14:03:00.000Z'],
    ['2026-11-21t15:03:00.1234+01:00', '2026-11-21T14:03:00.123Z'],
    ['2026-11-21T14:03:00.000Z', '2026-11-21T14:03:00.000Z'],
    ['1000-01-01T00:00:00Z', '1000-01-01T00:00:00.000Z'],
  ])('%s has one form', (text, form) => {
    const given = { time: text }
    expect(errorsOf(given)).toEqual([])
    expect(given.time).toBe(form)
  })

  test.each([
    '',
    '2026-11-21',
    '2026-11-21T14:03:00',
    '2026-02-30T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '0026-11-21T14:03:00Z',
    '1000-01-01T00:00:00+01:00',
    '9999-12-31T23:00:00-05:00',
    'noon',
  ])('is not %j', (text) => {
    expect(errorsOf({ time: text })).toEqual(['Input should be a valid date-time'])
  })
})
