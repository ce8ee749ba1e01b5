import { beforeEach, describe, expect, test, vi } from 'vitest'
import { isInstant } from './day-or-time'
import { fromLocalText, timeText, toLocalText, zoneText } from './time-text'

const useZone = (zone: string) => beforeEach(() => void vi.stubEnv('TZ', zone))

describe('in a zone with daylight-saving time', () => {
  useZone('Europe/Berlin')

  test('the zone is that of the time', () => {
    expect(zoneText('2026-07-01T00:00:00.000Z')).toBe('Europe/Berlin, GMT+2')
    expect(zoneText('2026-12-01T00:00:00.000Z')).toBe('Europe/Berlin, GMT+1')
    expect(zoneText('')).toMatch(/^Europe\/Berlin, GMT\+/)
  })

  test.each([
    ['2026-11-21T14:03:00.000Z', '2026-11-21T15:03'],
    ['2026-11-21T14:03:07.000Z', '2026-11-21T15:03:07'],
    ['2026-11-21T14:03:07.008Z', '2026-11-21T15:03:07.008'],
    ['1050-01-01T12:00:00.000Z', expect.stringMatching(/^1050-01-01T1/)],
    // Clocks show 2:30 twice.
    ['2026-10-25T00:30:00.000Z', '2026-10-25T02:30'],
    ['2026-10-25T01:30:00.000Z', '2026-10-25T02:30'],
  ])('%s stays the same when nothing is typed', (time, local) => {
    expect(toLocalText(time)).toEqual(local)
    expect(fromLocalText(toLocalText(time), time)).toBe(time)
  })

  test('of a time that clocks repeat, another minute is in the same hour, and a new one in the first', () => {
    expect(fromLocalText('2026-10-25T02:31', '2026-10-25T01:30:00.000Z')).toBe('2026-10-25T01:31:00.000Z')
    expect(fromLocalText('2026-10-25T02:31', '2026-10-25T00:30:00.000Z')).toBe('2026-10-25T00:31:00.000Z')
    expect(fromLocalText('2026-10-25T02:31')).toBe('2026-10-25T00:31:00.000Z')
  })

  test('a time that clocks skip is an hour later', () => {
    const time = fromLocalText('2026-03-29T02:30')
    expect(time).toBe('2026-03-29T01:30:00.000Z')
    expect(toLocalText(time ?? '')).toBe('2026-03-29T03:30')
  })
})

test('clocks may be set back by half an hour', () => {
  vi.stubEnv('TZ', 'Australia/Lord_Howe')
  for (const time of ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z']) {
    expect(toLocalText(time)).toBe('2026-04-05T01:45')
    expect(fromLocalText('2026-04-05T01:45', time)).toBe(time)
  }
})

test('other texts are no times', () => {
  for (const text of ['', '2026-11-21', '2026-13-01T00:00', 'x']) expect(fromLocalText(text)).toBeUndefined()
  for (const text of ['', '2026-11-21T14:03Z', '2026-13-21T14:03:00.000Z']) expect(isInstant(text)).toBe(false)
  expect(timeText('2026-06-15T12:34:56.000Z')).toMatch(/^Jun 1[456], 2026, \d+:\d4\s[AP]M$/)
})
