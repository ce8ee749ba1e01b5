import { isInstant } from './day-or-time.ts'
import { digits, localDay } from './local-day.ts'

// Days of the contract, such as `2026-11-21`, and times, such as `2026-11-21T14:03:00.000Z`, in the browser’s time zone.

// Creating a formatter costs as much as rendering a row.
const minuteStyle = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
const secondStyle = { ...minuteStyle, second: '2-digit', timeZoneName: 'short' } as const
const format = new Intl.DateTimeFormat('en', minuteStyle)
const exactFormat = new Intl.DateTimeFormat('en', secondStyle)
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const utcFormat = new Intl.DateTimeFormat('en', { ...secondStyle, timeZone: 'UTC' })

export const dayText = (day: string): string => dayFormat.format(Date.parse(day))

/** @returns a text such as `Nov 21 – 30, 2026` */
export const daysText = (from: string, to: string): string => dayFormat.formatRange(Date.parse(from), Date.parse(to))

export const timeText = (time: string): string => format.format(Date.parse(time))

/** `Nov 21, 2026, 3:03:22 PM GMT+1`, and the same time in UTC in a second line. */
export function exactTime(time: string): string {
  const texts = [exactFormat, utcFormat].map((one) => one.format(Date.parse(time)))
  return [...new Set(texts)].join('\n')
}

/** Such as `Europe/Berlin, GMT+1`. @param time the time whose offset is used, or empty for now */
export function zoneText(time: string): string {
  const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
  const parts = zone.formatToParts(isInstant(time) ? Date.parse(time) : Date.now())
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const { timeZone } = zone.resolvedOptions()
  return timeZone === name ? name : `${timeZone}, ${name}`
}

const MINUTE = 60_000

/** The text of a `datetime-local` field, with seconds only if they are not zero. */
export function toLocalText(time: string): string {
  const at = new Date(time)
  const seconds = at.getTime() % MINUTE === 0 ? '' : `:${digits(at.getSeconds())}.${digits(at.getMilliseconds(), 3)}`
  return `${localDay(time)}T${digits(at.getHours())}:${digits(at.getMinutes())}${seconds.replace('.000', '')}`
}

/** How far clocks may be set back. */
const OVERLAPS = [0, 30 * MINUTE, 60 * MINUTE]

/** If daylight saving time repeats a time, takes the one nearest to `before`, so that changing minutes keeps the hour. */
export function fromLocalText(text: string, before = ''): string | undefined {
  // Offsets before 1900 had seconds, which the text omits, so unchanged text keeps its time.
  if (isInstant(before) && toLocalText(before) === text) return before
  const first = Date.parse(text)
  if (!text.includes('T') || Number.isNaN(first)) return undefined
  const local = toLocalText(new Date(first).toISOString())
  const same = OVERLAPS.map((ms) => first + ms).filter((at) => toLocalText(new Date(at).toISOString()) === local)
  const from = Date.parse(before)
  const [nearest = first] = same.toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from) || 0)
  const time = new Date(nearest).toISOString()
  return isInstant(time) ? time : undefined
}
