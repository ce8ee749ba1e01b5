/** The number of digits after the point of a decimal such as `12.50`. */
export const placesOf = (decimal: string): number => decimal.length - 1 - decimal.indexOf('.')

/** A number for comparing decimals with the same number of places. It is exact up to 15 digits. */
const scaled = (decimal: string): number => Number(decimal.replace('.', ''))

export const isAtLeast = (decimal: string, other: string): boolean => scaled(decimal) >= scaled(other)

export type Typed<Value> = { value: Value; problem?: undefined } | { value?: undefined; problem: string }

const MAX_LENGTH = 100

// Some keyboards and programs write an en dash, a minus sign or full-width characters.
const SIGN = String.raw`[+\-\u2212\u2013\uFF0D]?`
const NUMBER = new RegExp(String.raw`^(${SIGN})(\d*)(?:([.,\uFF0E\uFF0C\u066B])(\d*))?$`)
const SEPARATED = new RegExp(String.raw`^${SIGN}\d+(?:['\u2019.,\uFF0E\uFF0C\u066B\u066C\s]\d*)+$`)
const THOUSANDS = new RegExp(String.raw`^${SIGN}[1-9]\d{0,2}[,\uFF0C]\d{3}$`)

/**
 * Converts a typed number to the contract's form, such as `12,5` to `12.50`. Accepts digits of all scripts, and a point
 * or a comma before decimals. A comma before three digits is refused, because it could separate thousands.
 * @param places the number of digits after the point
 */
export function readNumber(typed: string, places: number): Typed<string> {
  const problem =
    places === 0 ? 'Must be a whole number' : `Must be a number with at most ${places} digits after the point`
  if (typed.length > MAX_LENGTH) return { problem }
  // Text in right-to-left languages may have control characters beside the sign.
  const text = plainDigits(typed.replaceAll(/\p{Bidi_Control}/gu, '').trim())
  const [, sign, whole = '', point, digits = ''] = NUMBER.exec(text) ?? []
  const isSeparated =
    sign === undefined ? SEPARATED.test(text) : point !== undefined && (places === 0 || THOUSANDS.test(text))
  if (isSeparated)
    return { problem: places === 0 ? `${problem}, without a point or a comma` : withoutThousands(places) }
  if (sign === undefined || whole + digits === '' || digits.length > places) return { problem }
  const number = whole.replace(/^0+(?=\d)/, '') || '0'
  const value = places === 0 ? number : `${number}.${digits.padEnd(places, '0')}`
  return { value: sign !== '' && sign !== '+' && /[1-9]/.test(value) ? `-${value}` : value }
}

const withoutThousands = (places: number): string =>
  `Must be a number without separators of thousands, such as ${(1234.5).toFixed(places)}`

const plainDigits = (text: string): string => text.replaceAll(/(?!\d)\p{Nd}/gu, digitOf)

/** The digits of a script have consecutive code points, but those of another script may precede them directly. */
function digitOf(character: string): string {
  const at = character.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before += 1
  return String(before % 10)
}

export type Side = 'least' | 'most'
export type Bound = number | bigint | string

export const numberBound = (side: Side, bound: Bound, isInclusive = true): string =>
  `Number must be ${side === 'least' ? 'greater' : 'less'} than ${isInclusive ? 'or equal to ' : ''}${bound}`

const MAX_INTEGER = 2 ** 31 - 1

export function readWhole(typed: string): Typed<number> {
  const { value, problem } = readNumber(typed, 0)
  if (problem !== undefined) return { problem }
  const number = Number(value)
  if (number > MAX_INTEGER) return { problem: numberBound('most', MAX_INTEGER) }
  return number < -MAX_INTEGER - 1 ? { problem: numberBound('least', -MAX_INTEGER - 1) } : { value: number }
}

const MAX_DIGITS = 15

/** Reads a typed decimal within the limits of the API's filters. */
export function readDecimal(typed: string, places: number): Typed<string> {
  const { value, problem } = readNumber(typed, places)
  if (problem !== undefined) return { problem }
  return value.replaceAll(/\D/g, '').length > MAX_DIGITS
    ? { problem: `Number must have at most ${MAX_DIGITS - places} digits before the point` }
    : { value }
}
