import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { network, requestsTo } from '../../tests/support/network'
import { prefetch, fetchOnce, forgetPrefetched } from './prefetch'

const url = '/api/v1/users/'

async function ask(authorization = 'Bearer mine'): Promise<number> {
  const answer = await fetchOnce(new URL(url, location.href), { headers: { authorization } })
  return ((await answer.json()) as { answer: number }).answer
}

beforeEach(() => {
  delete window.prefetched
  let answers = 0
  network.use(http.get('*/users/', () => HttpResponse.json({ answer: (answers += 1) })))
})

test('a prefetched response is used once', async () => {
  await prefetch(url, 'Bearer mine')
  expect([await ask(), await ask()]).toEqual([1, 2])
})

test('a prefetched response is used only in the session that requested it', async () => {
  await prefetch(url, 'Bearer mine')
  expect(await ask('Bearer another')).toBe(2)
})

test('nothing is prefetched after the application has sent its own', async () => {
  expect(await ask()).toBe(1)
  expect(prefetch(url, 'Bearer mine')).toBeUndefined()
  expect(await ask()).toBe(2)
  expect(requestsTo('GET /users/')).toHaveLength(2)
})

test('a discarded response is not used later', async () => {
  await prefetch(url, 'Bearer mine')
  forgetPrefetched()
  expect(await ask()).toBe(2)
})

test('a prefetched response is found with a different encoding of the query', async () => {
  await prefetch(`${url}?q=a+b%20c`, 'Bearer mine')
  await fetchOnce(new URL(`${url}?q=a%20b+c`, location.href), { headers: { authorization: 'Bearer mine' } })
  expect(requestsTo('GET /users/')).toHaveLength(1)
})
