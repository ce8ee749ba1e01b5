import { expect, test } from 'vitest'
import { timeAgo } from './time-ago'

const now = Date.parse('2026-11-21T12:00:00.000Z')

test.each([
  ['2026-11-21T12:00:00.000Z', 'now'],
  ['2026-11-21T11:59:00.001Z', 'now'],
  ['2026-11-21T11:59:00.000Z', '1 minute ago'],
  ['2026-11-21T11:00:01.000Z', '59 minutes ago'],
  ['2026-11-21T10:59:00.000Z', '1 hour ago'],
  ['2026-11-20T12:00:00.000Z', '1 day ago'],
  ['2026-11-18T11:00:00.000Z', '3 days ago'],
  ['2026-10-22T12:00:00.000Z', '1 month ago'],
  ['2025-11-21T12:00:00.000Z', '1 year ago'],
  ['2016-01-01T00:00:00.000Z', '10 years ago'],
  // The clock is behind the server's.
  ['2026-11-21T12:05:00.000Z', 'now'],
])('%s was %s', (time, words) => {
  expect(timeAgo(time, now)).toBe(words)
})
