/** A part of a list. @property limit at most 100 */
export interface Page {
  skip: number
  limit: number
}

/** A part of a list, with how many rows the whole list has. */
export interface PageOf<T> {
  data: T[]
  count: number
}
