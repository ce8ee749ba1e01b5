/**
 * The keys that have a value. Each key of `T` must be named, so that a new field of the contract is a compile error where
 * it would be dropped.
 */
export function givenOf<T extends object>(fields: { [Key in keyof Required<T>]: T[Key] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
