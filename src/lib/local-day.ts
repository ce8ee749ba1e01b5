// Days in the time zone of the browser, such as `2026-11-21`.

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

const dayOf = (date: Date): string =>
  `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`

export const localDay = (time: string | number): string => dayOf(new Date(time))

/** The first moment of a day, or of a later one. A day may have 23 or 25 hours, and may not begin at midnight. */
function beginningOf(day: string, after = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + after)
}

export const addDays = (day: string, days: number): string => dayOf(beginningOf(day, days))

/** The first time of a day, in UTC. */
export const firstOfDay = (day: string): string => beginningOf(day).toISOString()

/** The last time of a day, in UTC. */
export const lastOfDay = (day: string): string => new Date(beginningOf(day, 1).getTime() - 1).toISOString()
