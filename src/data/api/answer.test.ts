import { describe, expect, test } from 'vitest'
import { makeUser } from '../../../tests/support/responses'
import { isAnswer } from './setup'

function isAnswerOf(operation: string, body: unknown, mediaType = 'application/json'): boolean {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = new Headers({ 'content-type': mediaType })
  return isAnswer(operation, { headers }, new TextEncoder().encode(text).buffer)
}

const logIn = 'POST /api/v1/login/access-token'
const list = 'GET /api/v1/users/'
const file = 'GET /api/v1/users/export'

describe('is an answer', () => {
  test.each<[string, unknown, string?]>([
    [logIn, { access_token: 'x', token_type: 'bearer' }],
    [logIn, { access_token: 'x', token_type: 'bearer' }, 'application/json; charset=utf-8'],
    [logIn, { access_token: 'x', token_type: 'bearer' }, 'Application/JSON'],
    [list, { data: [makeUser()], count: 1 }],
    [list, { data: [], count: 0, next: null }],
    ['GET /api/v1/users/{user_id}', makeUser({ full_name: null })],
    // Other back ends with this contract answer like this.
    ['GET /api/v1/users/me', { ...makeUser(), created_at: null, is_invited: undefined, phone: 'x' }],
    [file, 'id,email\n', 'text/csv; charset=utf-8'],
  ])('%s %j %s', (operation, body, mediaType) => {
    expect(isAnswerOf(operation, body, mediaType)).toBe(true)
  })
})

describe('is none', () => {
  test.each<[string, unknown, string?]>([
    [logIn, {}],
    [logIn, { access_token: undefined, token_type: 'bearer' }],
    [logIn, { access_token: null, token_type: 'bearer' }],
    [logIn, { access_token: '', token_type: 'bearer' }],
    [logIn, { access_token: ' ', token_type: 'bearer' }],
    [logIn, { access_token: 1, token_type: 'bearer' }],
    [logIn, { access_token: 'x', token_type: 'bearer' }, 'text/html'],
    [logIn, '<html>'],
    [logIn, 'null'],
    [logIn, ''],
    [list, []],
    [list, { data: {}, count: 0 }],
    [list, { data: null, count: 0 }],
    [list, { data: [], count: '0' }],
    ['GET /api/v1/users/me', { ...makeUser(), is_superuser: 'no' }],
    ['POST /api/v1/users/invite', { user: null }],
    [file, '<html>', 'text/html'],
    [file, { data: [] }],
    ['GET /api/v1/unknown', {}],
  ])('%s %j %s', (operation, body, mediaType) => {
    expect(isAnswerOf(operation, body, mediaType)).toBe(false)
  })
})
