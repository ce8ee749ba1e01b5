import type { Item } from '../../domain/item.ts'
import type { User } from '../../domain/user.ts'

/** Any of the domain's resources. */
export type Resource = Item | User

/** With its times as the contract has them. */
type Public<T> = { [key in keyof T]: key extends `${string}_at` ? string | Extract<T[key], null> : T[key] }

/** A resource as the contract describes it: its times are texts. */
export function toPublic<T extends Resource>(resource: T): Public<T> {
  const entries = Object.entries(resource).map(([key, value]: [string, unknown]) => [
    key,
    key.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value,
  ])
  return Object.fromEntries(entries) as Public<T>
}

/** @returns the page of a list as the contract describes it */
export function toPublicList<T extends Resource>(page: {
  data: T[]
  count: number
}): { data: Public<T>[]; count: number } {
  return { data: page.data.map(toPublic), count: page.count }
}
