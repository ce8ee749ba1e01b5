const DAY_MS = 86_400_000
/** A year must have four digits, because `26` is probably a slip. */
const YEAR = String.raw`[1-9]\d{3}`
const DATE = String.raw`${YEAR}-\d\d-\d\d`
const IN_YEAR = new RegExp(`^${YEAR}-`)
const PATTERN = new RegExp(String.raw`^(${DATE})(?:T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d:\d\d)))?$`, 'i')

/**
 * The first and last millisecond of a date (UTC) or of a time with its zone (RFC 3339), which are equal for a time.
 * @returns `undefined` for other text
 */
export function readDateOrTime(text: string): { first: number; last: number } | undefined {
  const [, date, time, zone = '00:00'] = PATTERN.exec(text) ?? []
  if (date === undefined || !isDate(date) || !isTime(zone)) return undefined
  if (time !== undefined && !isTime(time)) return undefined
  const first = Date.parse(text.toUpperCase())
  return { first, last: time === undefined ? first + DAY_MS - 1 : first }
}

/** Converts a time with a zone to UTC with milliseconds, as in every response. @returns `undefined` for other text */
export function toInstant(text: string): string | undefined {
  const time = text.includes(':') ? readDateOrTime(text) : undefined
  const instant = time && new Date(time.first).toISOString()
  // The time in UTC may be in the year 999 or 10000.
  return instant !== undefined && IN_YEAR.test(instant) ? instant : undefined
}

function isDate(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}

function isTime(time: string): boolean {
  const [hours = 0, ...others] = time.split(':').map(Number)
  return hours < 24 && others.every((part) => part < 60)
}
