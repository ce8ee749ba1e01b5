import { fileIn } from './file-text'

type Value<Values, Numeric, Name extends keyof Values> = Name extends Numeric ? number : Values[Name]

type Body<Values, Nullable, Numeric, Files> = {
  [Name in keyof Values]: Name extends Files
    ? { id: string } | null
    : Name extends Nullable
      ? Exclude<Value<Values, Numeric, Name>, ''> | null
      : Value<Values, Numeric, Name>
}

/** Converts form values to a request body: empty nullable fields to `null`, text to numbers, files to links. */
export function toBody<
  Values extends object,
  const Nullable extends keyof Values = never,
  const Numeric extends keyof Values = never,
  const Files extends keyof Values = never,
>(
  values: Values,
  options: { nullable?: readonly Nullable[]; numbers?: readonly Numeric[]; files?: readonly Files[] },
): Body<Values, Nullable, Numeric, Files> {
  const { nullable = [], numbers = [], files = [] } = options
  const body: Partial<Record<keyof Values, unknown>> = { ...values }
  for (const name of nullable) if (body[name] === '') body[name] = null
  for (const name of numbers) if (typeof body[name] === 'string') body[name] = Number(body[name])
  for (const name of files) if (name in body) body[name] = linkIn(body[name])
  return body as Body<Values, Nullable, Numeric, Files>
}

function linkIn(text: unknown): { id: string } | null {
  const { id } = fileIn(text) ?? {}
  return id === undefined ? null : { id }
}
