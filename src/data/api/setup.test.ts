import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { loginRecoverPassword, usersDeleteUser, usersReadUsers } from '@/client/sdk.gen'
import { errorDetails } from './errors'
import { network, requestsTo } from '../../../tests/support/network'

test('SPEC 7: every request includes credentials and the stored token, if any', async () => {
  network.use(
    http.get('*/users/', () => HttpResponse.json({ data: [], count: 0 })),
    http.post('*/password-recovery/:email', () => HttpResponse.json({ message: 'Sent' })),
  )
  const sent = vi.spyOn(globalThis, 'fetch')
  await usersReadUsers()
  localStorage.setItem('access_token', 'saved')
  await usersReadUsers()
  await loginRecoverPassword({ path: { email: 'ada@example.com' } })

  expect(requestsTo('GET /users/').map(({ token }) => token)).toEqual([undefined, 'saved'])
  expect(requestsTo('POST /password-recovery/ada%40example.com').map(({ token }) => token)).toEqual(['saved'])
  const credentials = sent.mock.calls.map(([request]) => (request as Request).credentials)
  expect(credentials).toEqual(['include', 'include', 'include'])
})

test.each<[title: string, answer: () => Response, details: string[]]>([
  [
    'a refusal',
    () => HttpResponse.json({ detail: 'Away' }, { status: 503, headers: { 'X-Request-Id': 'a1-b2' } }),
    ['Service Unavailable', 'Status: 503 Service Unavailable', 'Request ID: a1-b2', 'Body: {"detail":"Away"}'],
  ],
  [
    'a refusal in text',
    () => HttpResponse.text('no', { status: 404 }),
    ['Not Found', 'Status: 404 Not Found', 'Body: no'],
  ],
  ['a refusal without a body', () => new HttpResponse(null, { status: 404 }), ['Not Found', 'Status: 404 Not Found']],
  [
    'another answer',
    () => HttpResponse.html('<p>Wi-Fi', { headers: { 'X-Request-Id': 'c3' } }),
    ['The answer did not come from Steward.', 'Status: 200 OK', 'Request ID: c3'],
  ],
  ['no answer', () => HttpResponse.error(), ['The server cannot be reached.']],
])('the details of %s name the request and all that is known of the answer', async (_, answer, details) => {
  network.use(http.delete('*/users/:id', answer))
  const error: unknown = await usersDeleteUser({ path: { user_id: '1' } }).catch((reason: unknown) => reason)
  const [message = '', ...rest] = details
  const request = `Request: DELETE ${window.location.origin}/api/v1/users/1`
  expect(errorDetails(error)).toEqual([message, request, ...rest])
})
