import { pageQuery, toPage } from './paging'

/** The parameters of a list besides those of its pages. @template Data of the generated operation */
export type ParametersOf<Data extends { query?: object }> = Omit<NonNullable<Data['query']>, 'skip' | 'limit'>

/** Reads a search parameter; `undefined` if it is invalid. */
type Reader<Value> = (value: unknown) => Value | undefined

/** A reader for each parameter of a list except those of the page. */
type Readers<Parameters> = { [Name in keyof Parameters]-?: Reader<Parameters[Name]> }

type Search<Parameters> = { [Name in keyof Parameters]?: Parameters[Name] | undefined }

/** The search parameters of a list, which are in the URL. */
export interface ListSearch<Parameters extends object> {
  /** The parameters of a page. Sets every parameter, because the router keeps those that are absent. */
  toSearch: (search: Record<string, unknown>) => Search<Parameters>
  /** The query for the API. */
  toQuery: (search: Record<string, unknown>) => Parameters
}

/** Reads search parameters. Invalid values and defaults are dropped. */
export function readParameters<Parameters extends object>(readers: Readers<Parameters>): ListSearch<Parameters> {
  const read = (search: Record<string, unknown>) =>
    Object.entries<Reader<unknown>>(readers).map(([name, toValue]) => [name, toValue(search[name])] as const)
  return {
    toSearch: (search) => Object.fromEntries(read(search)) as Search<Parameters>,
    toQuery: (search) => Object.fromEntries(read(search).filter(([, value]) => value !== undefined)) as Parameters,
  }
}

/** The parameters of a list with pages. */
export function readList<Parameters extends object>(readers: Readers<Parameters>) {
  const parameters = readParameters(readers)

  function toSearch(search: Record<string, unknown>): Search<Parameters> & { page?: number | undefined } {
    const page = toPage(search.page)
    return { ...parameters.toSearch(search), page: page === 1 ? undefined : page }
  }

  function toQuery(search: Record<string, unknown>): Parameters & { skip: number; limit: number } {
    return { ...pageQuery(toPage(search.page)), ...parameters.toQuery(search) }
  }

  return { toSearch, toQuery }
}

const MAX_LENGTH = 255

/** A search text. The API accepts 255 code points, no NUL and no unpaired surrogates. */
export function toText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || Array.from(text).length > MAX_LENGTH || /[\0\uD800-\uDFFF]/u.test(text) ? undefined : text
}

export function toId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value : undefined
}

/** A day such as `2026-11-21`. */
export function toDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  const time = Date.parse(value)
  // Some browsers parse February 31 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined
}

export function oneOf<Value extends string>(...values: Value[]): Reader<Value> {
  return (value) => values.find((known) => known === value)
}

/** A whole number from 1 to `max`, in plain digits. */
export function upTo(max: number): Reader<number> {
  return (value) => {
    const isDigits = typeof value === 'number' || (typeof value === 'string' && /^[1-9]\d*$/.test(value))
    const number = isDigits ? Number(value) : 0
    return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined
  }
}

/** A field to sort by, with `-` for descending order. Newest first is the default. */
export function sortBy<Field extends string>(...fields: Field[]): Reader<Field | `-${Field}`> {
  const isKnown = oneOf(...fields.flatMap((field) => [field, `-${field}` as const]))
  return (value) => (value === '-created_at' ? undefined : isKnown(value))
}
