/** A list page and its fields, for its tests. */
export interface ScreenSample {
  path: string
  title: string
  noun: string
  Noun: string
  /** The label, the text to type (`true` ticks a checkbox), and the text in the list. The first field names the row. */
  fields: readonly [Typed, ...Typed[]]
  /** The filters of the list. */
  filters: readonly { name: string; label: string; value: string }[]
  /** The fields for files, which nothing is typed into. */
  files: readonly { name: string; label: string }[]
  /** The request body of the creation. */
  body: object
}

interface Typed {
  label: string
  text: string | true
  shown: string
}
