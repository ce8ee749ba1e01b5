import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { network, requestsTo } from '../../../tests/support/network'
import { sendFirstRequest, fetchOrTakeAnswer, forgetFirstRequests } from './first-requests'

const url = '/api/v1/items/'

async function ask(authorization = 'Bearer mine'): Promise<number> {
  const answer = await fetchOrTakeAnswer(new URL(url, location.href), { headers: { authorization } })
  return ((await answer.json()) as { answer: number }).answer
}

beforeEach(() => {
  delete window.firstRequests
  let answers = 0
  network.use(http.get('*/items/', () => HttpResponse.json({ answer: (answers += 1) })))
})

test('an early answer is taken, once', async () => {
  await sendFirstRequest(url, 'Bearer mine')
  expect([await ask(), await ask()]).toEqual([1, 2])
})

test('an early answer is for the session that asked alone', async () => {
  await sendFirstRequest(url, 'Bearer mine')
  expect(await ask('Bearer another')).toBe(2)
})

test('once the application asks by itself, nothing is asked for early', async () => {
  expect(await ask()).toBe(1)
  expect(sendFirstRequest(url, 'Bearer mine')).toBeUndefined()
  expect(await ask()).toBe(2)
  expect(requestsTo('GET /items/')).toHaveLength(2)
})

test('what the first page did not take is not taken later', async () => {
  await sendFirstRequest(url, 'Bearer mine')
  forgetFirstRequests()
  expect(await ask()).toBe(2)
})

test('an answer is taken however its query is encoded', async () => {
  await sendFirstRequest(`${url}?q=a+b%20c`, 'Bearer mine')
  await fetchOrTakeAnswer(new URL(`${url}?q=a%20b+c`, location.href), { headers: { authorization: 'Bearer mine' } })
  expect(requestsTo('GET /items/')).toHaveLength(1)
})
