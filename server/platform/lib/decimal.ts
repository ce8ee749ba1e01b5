// A decimal is a text such as `-12.50` in the API, and a whole number in the database: 12.50 is 1250.

/** The value without its point. It is exact up to 15 digits. @param text of the pattern in openapi.json */
export const toScaled = (text: string): number => Number(text.replace('.', ''))

/** Returns the text of a scaled value. @param places digits after the point, at least 1 */
export function fromScaled(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
