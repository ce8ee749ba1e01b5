/** The fields and sample values of a resource, from which its tests are made. */
export interface Sample {
  table: string
  noun: string
  /** The name of its schemas in the contract. */
  schema: string
  /** A request body with the required fields only. */
  least: object
  /** The response to `least`, with defaults. */
  leastStored: object
  /** A request body with all fields. Its texts differ from those of `least`. */
  full: object
  fullStored: object
  /** Bodies of updates. Each changes at least one field. */
  changes: object[]
  /** Fields with invalid values. */
  rejected: [field: string, value: unknown][]
  /** Fields with a filter for one value. Their values in `least` and `full` differ. */
  filtered: string[]
  /** Fields with a filter for a range. Their values in `full` are greater than those in `least`. */
  ranges: string[]
  /** The fields for files. */
  files: string[]
  /** The searched fields. Lists can be sorted by the first one. */
  searched: [string, ...string[]]
}
