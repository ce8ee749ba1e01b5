import * as z from 'zod/mini'
import { isDay, isInstant } from './day-or-time'
import { readDecimal, readWhole } from './number-text'

// Invalid search parameters are dropped, because anybody can write a URL.

const MAX_LENGTH = 255

/** The API accepts 255 code points, no NUL and no unpaired surrogates. */
export function toText(value: string | undefined): string | undefined {
  const text = value?.trim() ?? ''
  return text === '' || Array.from(text).length > MAX_LENGTH || /[\0\uD800-\uDFFF]/u.test(text) ? undefined : text
}

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

// oxlint-disable-next-line promise/valid-params -- not a promise
export const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

const textAs = <Value>(read: (given: string) => Value) => optional(z.pipe(z.string(), z.transform(read)))

export const choice = <const Value extends string>(values: readonly Value[]) =>
  Object.assign(optional(z.enum(values)), { values })

/** Some of `values`, separated by commas, in the order of `values`. Other values are dropped. */
export const choices = <const Value extends string>(values: readonly Value[]) =>
  Object.assign(
    textAs((given) => {
      const asked = given.split(',')
      return values.filter((value) => asked.includes(value)).join(',') || undefined
    }),
    { values },
  )

export const text = () => textAs(toText)

export const id = () => optional(z.string().check(z.refine(isId)))

export const day = () => optional(z.string().check(z.refine(isDay)))

/** A day in UTC, or a time, such as the beginning of a day in the user's time zone. */
export const dayOrTime = () => optional(z.string().check(z.refine((given) => isDay(given) || isInstant(given))))

const numberAs = <Value>(read: (given: string) => Value) =>
  optional(z.pipe(z.pipe(z.union([z.string(), z.number()]), z.transform(String)), z.transform(read)))

/** A whole number from 1 to `max`, in plain digits. */
export const upTo = (max: number) =>
  numberAs((given) => (/^[1-9]\d*$/.test(given) && Number(given) <= max ? Number(given) : undefined))

export const whole = () => numberAs((given) => readWhole(given).value)

export const decimal = (places: number) => numberAs((given) => readDecimal(given, places).value)

export const pageNumber = () =>
  numberAs((given) => (Number.isSafeInteger(Number(given)) && Number(given) >= 1 ? Number(given) : undefined))

/** A dialog without a row, as in `?add`. */
export const flag = optional(z.literal(''))

/** A dialog for one row, as in `?edit=ID`. */
export const rowId = optional(z.string())

export type Dialogs = Record<string, typeof flag | typeof rowId>

export const rowDialogs = { edit: rowId, delete: rowId }

export type RowDialog = DialogOf<typeof rowDialogs>

export type DialogOf<All extends Dialogs> = {
  [Kind in keyof All & string]: All[Kind] extends typeof flag ? { kind: Kind; id?: never } : { kind: Kind; id: string }
}[keyof All & string]

export function defined<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }
}

/** The token in a link. Mail programs may append blanks, `%20`, a full stop or `>`. */
export const tokenSearch = z.object({
  token: textAs((token) => /[\w-]+/.exec(token.slice(0, 200))?.[0]),
})
