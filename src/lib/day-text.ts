const localFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

export const dayText = (day: string): string => format.format(Date.parse(day))

/** The day in the browser's time zone, such as `Nov 21, 2026`. */
export const dayOfTime = (time: string): string => localFormat.format(Date.parse(time))
