import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { itemsReadItems, loginRecoverPassword } from '@/client/sdk.gen'
import { network, requestsTo } from '../../../tests/support/network'

test('SPEC 7: every request includes credentials and the stored token, if any', async () => {
  network.use(
    http.get('*/items/', () => HttpResponse.json({ data: [], count: 0 })),
    http.post('*/password-recovery/:email', () => HttpResponse.json({ message: 'Sent' })),
  )
  const sent = vi.spyOn(globalThis, 'fetch')
  await itemsReadItems()
  localStorage.setItem('access_token', 'saved')
  await itemsReadItems()
  await loginRecoverPassword({ path: { email: 'ada@example.com' } })

  expect(requestsTo('GET /items/').map(({ token }) => token)).toEqual([undefined, 'saved'])
  expect(requestsTo('POST /password-recovery/ada%40example.com').map(({ token }) => token)).toEqual(['saved'])
  const credentials = sent.mock.calls.map(([request]) => (request as Request).credentials)
  expect(credentials).toEqual(['include', 'include', 'include'])
})
