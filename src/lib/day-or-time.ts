// Days such as `2026-11-21` and times such as `2026-11-21T14:03:00.000Z`, as the contract has them.

/** Years need four digits, because a user who types 26 means 2026. */
export const FIRST_DAY = '1000-01-01'
export const LAST_DAY = '9999-12-31'

/** The value while a native field is only partly filled in. */
export const INCOMPLETE = 'incomplete'

const YEAR = String.raw`[1-9]\d{3}`
const DAY = new RegExp(String.raw`^${YEAR}-\d\d-\d\d$`)
const INSTANT = new RegExp(String.raw`^${YEAR}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : Number.NaN
  // Some browsers parse February 31 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

export const isInstant = (text: string): boolean => INSTANT.test(text) && !Number.isNaN(Date.parse(text))

/** The message for an invalid day or time. @param noun `date` or `time` */
export function problemOf(text: string, noun: string): string {
  if (text === INCOMPLETE) return `Enter the whole ${noun}`
  return /^0\d{3}-/.test(text) ? 'Enter the year with four digits' : `Invalid ${noun}`
}
