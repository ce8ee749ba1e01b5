/** The text of a number field is a number for the API. A missing or empty one stays so. */
export function toNumber<Values extends object, Name extends keyof Values>(
  values: Values,
  name: Name,
): Omit<Values, Name> & { [Key in Name]: Exclude<Values[Key], string> | number } {
  const text = values[name]
  return { ...values, ...(typeof text === 'string' && { [name]: Number(text) }) } as Omit<Values, Name> & {
    [Key in Name]: Exclude<Values[Key], string> | number
  }
}
