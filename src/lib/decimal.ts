/** Digits after the point of a decimal such as `12.50`. */
export const placesOf = (decimal: string): number => decimal.length - 1 - decimal.indexOf('.')

/** The value without its point, to compare decimals of equal places. It is exact up to 15 digits. */
const scaled = (decimal: string): number => Number(decimal.replace('.', ''))

/** Whether it is not before another decimal of equal places. */
export const isAtLeast = (decimal: string, other: string): boolean => scaled(decimal) >= scaled(other)

/**
 * The decimal that somebody typed, in the one form of the contract: `12.50` for `12.5`.
 * @returns `undefined` for other text, also with more places. A comma before three digits could mean thousands.
 */
export function toDecimal(typed: string, places: number): string | undefined {
  const [, sign, whole = '', , digits = ''] = /^([+-]?)(\d*)([.,](\d*))?$/.exec(typed) ?? []
  if (sign === undefined || whole + digits === '' || digits.length > places || /,\d{3}$/.test(typed)) return undefined
  const decimal = `${whole.replace(/^0+(?=\d)/, '') || '0'}.${digits.padEnd(places, '0')}`
  return sign === '-' && /[1-9]/.test(decimal) ? `-${decimal}` : decimal
}
