type Value<Values, Numeric, Name extends keyof Values> = Name extends Numeric ? number : Values[Name]

type Body<Values, Nullable, Numeric> = {
  [Name in keyof Values]: Name extends Nullable
    ? Exclude<Value<Values, Numeric, Name>, ''> | null
    : Value<Values, Numeric, Name>
}

/** Converts form values to a request body: empty nullable fields to `null`, and text of number fields to numbers. */
export function toBody<
  Values extends object,
  const Nullable extends keyof Values = never,
  const Numeric extends keyof Values = never,
>(
  values: Values,
  { nullable = [], numbers = [] }: { nullable?: readonly Nullable[]; numbers?: readonly Numeric[] },
): Body<Values, Nullable, Numeric> {
  const body: Partial<Record<keyof Values, unknown>> = { ...values }
  for (const name of nullable) if (body[name] === '') body[name] = null
  for (const name of numbers) if (typeof body[name] === 'string') body[name] = Number(body[name])
  return body as Body<Values, Nullable, Numeric>
}
