/** An empty text of a form is no value for the API. A missing one stays missing. */
export function emptyToNull<Values extends object, Name extends keyof Values>(
  values: Values,
  name: Name,
): Omit<Values, Name> & { [Key in Name]: Values[Key] | null } {
  return values[name] === '' ? { ...values, [name]: null } : values
}
