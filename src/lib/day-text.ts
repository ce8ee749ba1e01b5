const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

export const dayText = (day: string): string => format.format(Date.parse(day))

/** @returns a text such as `Nov 21 – 30, 2026` */
export const daysText = (from: string, to: string): string => format.formatRange(Date.parse(from), Date.parse(to))
