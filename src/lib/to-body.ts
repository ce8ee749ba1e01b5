type Body<Values, Nullable, Numeric> = {
  [Name in keyof Values]: (Name extends Numeric ? number : Values[Name]) | (Name extends Nullable ? null : never)
}

/** The values of a form, as the API takes them: an empty text is no value, and the text of a number is a number. */
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
