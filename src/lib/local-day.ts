// Days such as `2026-11-21` in the browser's time zone.

export const digits = (value: number, length = 2): string => String(value).padStart(length, '0')

const dayOf = (date: Date): string =>
  `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`

export const localDay = (time: string | number): string => dayOf(new Date(time))

/** The first moment of a day. @param after adds days. A day may have 23 or 25 hours, or no midnight. */
function beginningOf(day: string, after = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + after)
}

export const addDays = (day: string, days: number): string => dayOf(beginningOf(day, days))

export const firstOfDay = (day: string): string => beginningOf(day).toISOString()

export const lastOfDay = (day: string): string => new Date(beginningOf(day, 1).getTime() - 1).toISOString()
