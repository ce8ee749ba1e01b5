const localFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** `2026-11-21` as `Nov 21, 2026`. */
export const dayText = (day: string): string => format.format(Date.parse(day))

/** The day of a time, in the browser's time zone: `Nov 21, 2026`. */
export const dayOfTime = (time: string): string => localFormat.format(Date.parse(time))
