import { describe, expect, test, vi } from 'vitest'
import {
  ApiError,
  endsSession,
  errorMessage,
  errorNote,
  ForeignAnswer,
  isTransient,
  refusedFields,
  Unreachable,
} from './errors'

const unreachable = new Unreachable(new TypeError('Failed to fetch'))
const fault = new TypeError('x is not a function')

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

describe('SPEC 8: the message for the user', () => {
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

  test('no response', () => {
    expect(errorMessage(unreachable)).toBe('Something went wrong.')
    expect(errorMessage(undefined)).toBe('Something went wrong.')
  })
})

test('SPEC 4: only a 401 or 403 ends the session, and only if the request had one', () => {
  expect([400, 401, 403, 404, 409, 422, 429, 500, 503].filter((status) => endsSession(apiError(status)))).toEqual([
    401, 403,
  ])
  expect(endsSession(unreachable)).toBe(false)
  expect(endsSession(apiError(403, {}, false))).toBe(false)
})

test('only a missing response, one of something else, 429 and 5xx are transient', () => {
  expect([400, 401, 403, 404, 409, 422, 429, 500, 503].filter((status) => isTransient(apiError(status)))).toEqual([
    429, 500, 503,
  ])
  expect([unreachable, new ForeignAnswer(), fault].map(isTransient)).toEqual([true, true, false])
})

test('the rejected fields of a 422', () => {
  const detail = [
    { loc: ['body', 'email'], msg: 'No address' },
    { loc: ['query', 'skip'] },
    { loc: ['body'] },
    null,
    { loc: ['body', 'password'] },
  ]
  expect(refusedFields(apiError(422, { detail }))).toEqual([
    ['email', 'No address'],
    ['password', ''],
  ])
  expect(refusedFields(apiError(422, { detail: 'text' }))).toEqual([])
})

test('an email address that is taken or does not change here is a rejected field, for the messages of different back ends', () => {
  for (const detail of [
    'A user with this email already exists',
    'The user with this email already exists in the system.',
    'User with this email already exists',
    'Only an administrator changes addresses here',
  ])
    expect(refusedFields(apiError(409, { detail }))).toEqual([['email', detail]])
  expect(refusedFields(apiError(400, { detail: 'Incorrect email or password' }))).toEqual([])
})

describe('the advice for the user', () => {
  test.each([
    ['1', 'Try again in 1 second.'],
    ['59', 'Try again in 59 seconds.'],
    ['60', 'Try again in 1 minute.'],
    ['661', 'Try again in 12 minutes.'],
    ['3600', 'Try again in 1 hour.'],
    ['86400', 'Try again in 24 hours.'],
    ['', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('after “Retry-After: %s”', (value, note) => {
    const headers = new Headers({ 'Retry-After': value })
    const response = { url: '', status: 429, statusText: '', headers }
    expect(errorNote(new ApiError(response, { detail: 'Too many' }))).toBe(note)
  })

  test('while offline', () => {
    expect(errorNote(unreachable)).toBe('The server cannot be reached.')
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    expect(errorNote(unreachable)).toBe('You are offline.')
    expect(errorNote(fault)).toBeUndefined()
  })

  test('after a response without words', () => {
    expect(errorNote(apiError(502, '<html>'))).toBe('The server answered “Bad Gateway”.')
    expect(errorNote(apiError(520, '<html>'))).toBe('The server answered “520”.')
    expect(errorNote(apiError(500, { detail: 'Out of order' }))).toBeUndefined()
  })

  test('after an error of the server, with the request to quote', () => {
    const noteOf = (status: number, headers: Record<string, string>) =>
      errorNote(new ApiError({ url: '', status, statusText: '', headers: new Headers(headers) }, { detail: 'Sorry' }))
    expect(noteOf(500, { 'X-Request-Id': 'a1-b2' })).toBe('Request ID: a1-b2')
    expect(noteOf(503, { 'X-Request-Id': 'a1-b2', 'Retry-After': '5' })).toBe(
      'Try again in 5 seconds. Request ID: a1-b2',
    )
    expect(noteOf(409, { 'X-Request-Id': 'a1-b2' })).toBeUndefined()
  })
})
