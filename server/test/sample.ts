/** The fields and sample values of a resource, for its tests. */
export interface Sample {
  table: string
  noun: string
  /** The name of its schemas in the contract. */
  schema: string
  /** A request body with the required fields only. */
  least: object
  /** The response to `least`, with defaults. */
  leastStored: object
  /** A request body with all fields, and texts that no other row has. */
  full: object
  fullStored: object
  /** Bodies of updates. Each changes at least one field. */
  changes: object[]
  /** Fields with invalid values. */
  rejected: [field: string, value: unknown][]
  /** The fields by whose value lists are filtered. Those of `least` and `full` differ. */
  filtered: string[]
  /** The fields by whose range lists are filtered. Those of `full` are greater than those of `least`. */
  ranges: string[]
  /** The fields that are files. */
  files: string[]
  /** The searched fields. Lists can be sorted by the first one. */
  searched: [string, ...string[]]
}
