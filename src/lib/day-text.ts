const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** `2026-11-21` as `Nov 21, 2026`. */
export const dayText = (day: string): string => format.format(Date.parse(day))
