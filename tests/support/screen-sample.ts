/** What the tests of a page with a list know of its fields. */
export interface ScreenSample {
  path: string
  title: string
  noun: string
  Noun: string
  /** Labels, what is typed (`true`: a box is ticked), and what the list shows then. The first one names the row. */
  fields: readonly [Typed, ...Typed[]]
  /** What is sent. */
  body: object
}

interface Typed {
  label: string
  text: string | true
  shown: string
}
