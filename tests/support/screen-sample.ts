/** A list page and its fields, from which its tests are made. */
export interface ScreenSample {
  path: string
  title: string
  noun: string
  Noun: string
  /** The first field names the row. */
  fields: readonly [Typed, ...Typed[]]
  /** The filters of the list. Time filters take a day. */
  filters: readonly { name: string; label: string; value: string; isRange?: boolean; isTime?: boolean }[]
  /** The fields for files. */
  files: readonly { name: string; label: string }[]
  /** The rows that the fields link to. */
  linked?: readonly LinkedSample[]
  /** The request body that creates a row. */
  body: object
}

interface LinkedSample {
  /** The field that holds the id of the linked row. */
  field: string
  /** The field of the linked row that names it. */
  name: string
  /** The resource of the linked row. */
  to: string
}

export const linkedRow = { id: '22222222-2222-4222-8222-222222222222', name: 'Linked 2' }
export const otherLinkedRow = { id: '33333333-3333-4333-8333-333333333333', name: 'Linked 3' }

interface Typed {
  label: string
  text: string | true
  shown: string
}
