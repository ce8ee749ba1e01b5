import * as z from 'zod/mini'
import { toDecimal } from './decimal'

// The parameters of an address. Invalid values become defaults, as anybody can write an address.

const MAX_LENGTH = 255

/** A search text. The API accepts 255 code points, no NUL and no unpaired surrogates. */
export function toText(value: string | undefined): string | undefined {
  const text = value?.trim() ?? ''
  return text === '' || Array.from(text).length > MAX_LENGTH || /[\0\uD800-\uDFFF]/u.test(text) ? undefined : text
}

export function isId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** Whether it is a day such as `2026-11-21`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  // Some browsers parse February 31 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** @param value also of an invalid parameter */
const withDefault = <Schema extends z.ZodMiniType>(schema: Schema, value: z.input<Schema> & z.output<Schema>) =>
  // oxlint-disable-next-line promise/valid-params -- not a promise
  z.catch(z.prefault(schema, value), value)

/** A parameter that is dropped if it is invalid. */
export const optional = <Schema extends z.ZodMiniType>(schema: Schema) => withDefault(z.optional(schema), undefined)

export const text = () =>
  optional(
    z.pipe(
      z.string(),
      z.transform((given: string) => toText(given)),
    ),
  )

export const id = () => optional(z.string().check(z.refine(isId)))

export const day = () => optional(z.string().check(z.refine(isDay)))

/** A whole number from 1 to `max`, in plain digits. */
export const upTo = (max: number) =>
  optional(
    z.pipe(
      z.union([z.number(), z.pipe(z.string().check(z.regex(/^[1-9]\d*$/)), z.transform(Number))]),
      z.int().check(z.minimum(1), z.maximum(max)),
    ),
  )

const MAX_INTEGER = 2 ** 31 - 1

/** The whole number that somebody typed. @returns `undefined` for other text, and outside of 32 bits */
export function toWhole(typed: string): number | undefined {
  const value = /^[+-]?\d{1,10}$/.test(typed) ? Number(typed) : Number.NaN
  return value >= -MAX_INTEGER - 1 && value <= MAX_INTEGER ? value : undefined
}

const numberAs = <Value>(toValue: (typed: string) => Value | undefined) =>
  optional(
    z.pipe(
      z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
      z.transform((typed: string) => toValue(typed)),
    ),
  )

export const whole = () => numberAs(toWhole)

/** A decimal with this number of places. The API takes 17 characters. */
export const decimal = (places: number) =>
  numberAs((typed) => {
    const value = toDecimal(typed, places)
    return value && value.length <= 17 ? value : undefined
  })

/** The page of a list. An address without one is that of the first page, too. */
export const pageNumber = () =>
  optional(z.pipe(z.pipe(z.union([z.string(), z.number()]), z.transform(Number)), z.int().check(z.minimum(1))))

/** A dialog of a page: `?add`. */
export const flag = optional(z.literal(''))

/** A dialog for one row: `?edit=ID`. */
export const rowId = optional(z.string())

/** The dialogs of a page, by their parameters. */
export type Dialogs = Record<string, typeof flag | typeof rowId>

/** One of the dialogs, with the id of its row. */
export type DialogOf<All extends Dialogs> = {
  [Kind in keyof All & string]: All[Kind] extends typeof flag ? { kind: Kind; id?: never } : { kind: Kind; id: string }
}[keyof All & string]

/** The values that are not undefined. */
export function defined<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }
}
