// Days such as `2026-11-21` and times such as `2026-11-21T14:03:00.000Z`, as the contract has them.

/** Years have four digits: 26 is a slip, and is no year of the Romans. */
export const FIRST_DAY = '1000-01-01'
export const LAST_DAY = '9999-12-31'

/** In place of a value while a native field shows only a part of one. */
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

/** Why a text is no day or time that a person means. @param noun the value, such as `date` */
export function problemOf(text: string, noun: string): string {
  if (text === INCOMPLETE) return `Enter the whole ${noun}`
  return /^0\d{3}-/.test(text) ? 'Enter the year with four digits' : `Invalid ${noun}`
}
