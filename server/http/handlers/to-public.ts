import type { Item } from '../../domain/item.ts'
import type { User } from '../../domain/user.ts'

/** Any of the domain's resources. */
export type Resource = Item | User

/** With its times as the contract has them. */
type Public<T extends Resource> = Omit<T, 'created_at'> & { created_at: string }

/** A resource as the contract describes it: its times are texts. */
export function toPublic<T extends Resource>(resource: T): Public<T> {
  return { ...resource, created_at: new Date(resource.created_at).toISOString() }
}

/** @returns the page of a list as the contract describes it */
export function toPublicList<T extends Resource>(page: {
  data: T[]
  count: number
}): { data: Public<T>[]; count: number } {
  return { data: page.data.map(toPublic), count: page.count }
}
