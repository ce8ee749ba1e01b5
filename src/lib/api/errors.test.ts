import { describe, expect, test } from 'vitest'
import { ApiError, endsSession, errorMessage, isTransient, refusedFields } from './errors'

const apiError = (status: number, body: unknown = {}, hadSession = true) =>
  new ApiError({ url: 'https://x.test/api', status, statusText: 'Status Text' }, body, hadSession)

describe('SPEC 8: ApiError', () => {
  test('carries url, status, statusText and body', () => {
    expect(apiError(409, { detail: 'x' })).toMatchObject({
      url: 'https://x.test/api',
      status: 409,
      statusText: 'Status Text',
      body: { detail: 'x' },
    })
  })

  test.each([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [409, 'Conflict'],
    [412, 'Precondition Failed'],
    [422, 'Validation Error'],
    [429, 'Too Many Requests'],
    [500, 'Internal Server Error'],
    [503, 'Service Unavailable'],
  ])('%i is reported as %s', (status, name) => {
    expect(apiError(status).message).toBe(name)
  })

  test('an unknown status gives a generic error with status, status text and body', () => {
    const { message } = apiError(418, { tea: true })
    expect(message).toContain('418')
    expect(message).toContain('Status Text')
    expect(message).toContain('"tea": true')
  })
})

describe('SPEC 8: what a person is told', () => {
  test.each<[string, unknown, string]>([
    ['a text', { detail: 'Taken' }, 'Taken'],
    ['the first of a list', { detail: [{ msg: 'One' }, { msg: 'Two' }] }, 'One'],
    ['no detail', {}, 'Something went wrong.'],
    ['an empty text', { detail: '' }, 'Something went wrong.'],
    ['an empty list', { detail: [] }, 'Something went wrong.'],
    ['a list of something else', { detail: [null] }, 'Something went wrong.'],
    ['an object', { detail: { msg: 'x' } }, 'Something went wrong.'],
    ['no body', undefined, 'Something went wrong.'],
    ['a page of a proxy', '<html>', 'Something went wrong.'],
  ])('%s', (_, body, text) => {
    expect(errorMessage(apiError(400, body))).toBe(text)
  })

  test('no answer at all', () => {
    expect(errorMessage(new TypeError('Failed to fetch'))).toBe('Something went wrong.')
    expect(errorMessage(undefined)).toBe('Something went wrong.')
  })
})

test('SPEC 4: a 401 and a 403 end the session that the request was made in, nothing else does', () => {
  expect([400, 401, 403, 404, 409, 422, 429, 500, 503].filter((status) => endsSession(apiError(status)))).toEqual([
    401, 403,
  ])
  expect(endsSession(new TypeError('Failed to fetch'))).toBe(false)
  expect(endsSession(apiError(403, {}, false))).toBe(false)
})

test('only no answer, 429 and 5xx are worth another try', () => {
  expect([400, 401, 403, 404, 409, 422, 429, 500, 503].filter((status) => isTransient(apiError(status)))).toEqual([
    429, 500, 503,
  ])
  expect(isTransient(new TypeError('Failed to fetch'))).toBe(true)
})

test('the fields a 422 names', () => {
  const detail = [
    { loc: ['body', 'email'] },
    { loc: ['query', 'skip'] },
    { loc: ['body'] },
    null,
    { loc: ['body', 'password'] },
  ]
  expect(refusedFields(apiError(422, { detail }))).toEqual(['email', 'password'])
  expect(refusedFields(apiError(422, { detail: 'text' }))).toEqual([])
})
