import type { Flag } from '../../tables.ts'
import { fromScaled, toScaled } from '../lib/decimal.ts'

/**
 * How the database stores a value of the API that it cannot store as it is. A flag is 1 or 0, a time milliseconds
 * since 1970, and a decimal with `places` a whole number, so that both databases sort them in the same way. The facts
 * of a file are JSON.
 */
export type StoredForm = 'flag' | 'time' | 'file' | { readonly places: number }

type Forms = Readonly<Record<string, StoredForm>>

export type Stored<Value> = Value extends boolean ? Flag : Value extends string ? number : Value

export function toStored<Value>(form: StoredForm, value: Value): Stored<Value> {
  return convert(value, (given) => {
    if (form === 'flag') return given === true ? 1 : 0
    if (form === 'file') return JSON.stringify(given)
    return form === 'time' ? Date.parse(String(given)) : toScaled(String(given))
  }) as Stored<Value>
}

function fromStored(form: StoredForm, value: number | null): unknown {
  return convert(value, (stored) => {
    if (form === 'flag') return stored === 1
    if (form === 'file') return JSON.parse(String(stored))
    return form === 'time' ? new Date(Number(stored)).toISOString() : fromScaled(Number(stored), form.places)
  })
}

const convert = (value: unknown, to: (given: unknown) => unknown): unknown => (value === null ? null : to(value))

export function storedOf<Values extends object, Name extends string>(
  given: Values,
  forms: Readonly<Record<Name, StoredForm>>,
): { [Field in Name & keyof Values]: Stored<Values[Field]> } {
  const values = given as Record<string, unknown>
  const entries = Object.entries<StoredForm>(forms).filter(([name]) => values[name] !== undefined)
  return Object.fromEntries(entries.map(([name, form]) => [name, toStored(form, values[name])])) as never
}

export function valuesOf(row: Readonly<Record<string, unknown>>, forms: Forms): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(forms).map(([name, form]) => [name, fromStored(form, row[name] as number | null)]),
  )
}
