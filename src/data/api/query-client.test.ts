import { expect, test } from 'vitest'
import { ApiError } from './errors'
import { createQueryClient } from './query-client'

const { retry, retryDelay, gcTime } = createQueryClient().getDefaultOptions().queries ?? {}

function failure(status: number): ApiError {
  return new ApiError(new Response(null, { status }), undefined, false)
}

test('SPEC 9: up to 3 retries with exponential back-off of at most 30 s; a cache time of 5 minutes', () => {
  if (typeof retry !== 'function' || typeof retryDelay !== 'function') throw new Error('no retries')
  expect([0, 1, 2, 3].map((failures) => retry(failures, failure(503)))).toEqual([true, true, true, false])
  expect([0, 1, 2, 4, 5, 20].map((failures) => retryDelay(failures, failure(503)))).toEqual([
    1000, 2000, 4000, 16_000, 30_000, 30_000,
  ])
  expect(gcTime).toBe(5 * 60 * 1000)
})

test.each([400, 401, 403, 404, 409, 422])('a %i is not retried', (status) => {
  if (typeof retry !== 'function') throw new Error('no retries')
  expect(retry(0, failure(status))).toBe(false)
})
