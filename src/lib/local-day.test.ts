import { expect, test, vi } from 'vitest'
import { addDays, firstOfDay, lastOfDay, localDay } from './local-day'

test.each([
  ['Pacific/Auckland', '2026-11-22', '2026-11-21T11:00:00.000Z', '2026-11-22T10:59:59.999Z'],
  ['America/Los_Angeles', '2026-11-21', '2026-11-21T08:00:00.000Z', '2026-11-22T07:59:59.999Z'],
  ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
  // These days have 25 hours, and no midnight.
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z'],
])('in %s, %s is from %s to %s', (zone, day, first, last) => {
  vi.stubEnv('TZ', zone)
  expect([firstOfDay(day), lastOfDay(day)]).toEqual([first, last])
  expect([localDay(first), localDay(last)]).toEqual([day, day])
  const before = Date.parse(first) - 1
  expect(localDay(before)).toBe(addDays(day, -1))
})

test('days are counted over changes of clocks, months and years', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
})
