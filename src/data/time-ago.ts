import { serverNow } from './api/setup'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const units = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const
// Creating a formatter costs as much as rendering a row.
const ago = new Intl.RelativeTimeFormat('en')

/** `3 days ago`, in the largest full unit. Times in the future are `now`, because clocks differ. */
export function timeAgo(time: string, now = serverNow()): string {
  const age = now - Date.parse(time)
  const [unit, length] = units.find(([, ms]) => age >= ms) ?? []
  return unit === undefined ? 'now' : ago.format(-Math.floor(age / length), unit)
}

/** `in 3 days`, rounded in the largest unit of which one is left. */
export function timeUntil(time: string, now = serverNow()): string {
  const left = Date.parse(time) - now
  const [unit, length] = units.find(([, ms]) => left >= ms) ?? ['minute', MINUTE]
  return ago.format(Math.max(1, Math.round(left / length)), unit)
}
