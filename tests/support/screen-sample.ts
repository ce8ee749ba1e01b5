/** A list page and its fields, for its tests. */
export interface ScreenSample {
  path: string
  title: string
  noun: string
  Noun: string
  /** The label, the text to type (`true` ticks a checkbox), and the text in the list. The first field names the row. */
  fields: readonly [Typed, ...Typed[]]
  /** The filters of the list. Of a time, a day is typed. */
  filters: readonly { name: string; label: string; value: string; isRange?: boolean; isTime?: boolean }[]
  /** The fields for files, which nothing is typed into. */
  files: readonly { name: string; label: string }[]
  /** The rows that the fields link to, if any. */
  linked?: readonly LinkedSample[]
  /** The request body of the creation. */
  body: object
}

interface LinkedSample {
  /** The field with the id of the row. */
  field: string
  /** The field with its name. */
  name: string
  /** The resource of the row. */
  to: string
}

/** The row that samples link to. */
export const linkedRow = { id: '22222222-2222-4222-8222-222222222222', name: 'Linked 2' }
/** Another one. */
export const otherLinkedRow = { id: '33333333-3333-4333-8333-333333333333', name: 'Linked 3' }

interface Typed {
  label: string
  text: string | true
  shown: string
}
