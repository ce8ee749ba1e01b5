/** @property limit at most 100 */
export interface Page {
  skip: number
  limit: number
}

/** A page of a list, with the count of the whole list. */
export interface PageOf<T> {
  data: T[]
  count: number
}
