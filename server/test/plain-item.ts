import { type Item, itemsTable } from '../items/queries.ts'
import { itemSample } from '../items/sample.ts'
import { nameFieldOf } from '../links/link.ts'

const namesBeside = new Set(Object.keys(itemsTable.links).map(nameFieldOf))

/** A stored item for which only the required fields were given. */
export const plainItem = Object.fromEntries(
  Object.entries(itemSample.leastStored).filter(([field]) => !namesBeside.has(field)),
) as Omit<Item, 'id' | 'owner_id' | 'created_at'>

const further = new Set(Object.keys(plainItem).filter((field) => field !== 'title' && field !== 'description'))

/** Whether a line `table column type` describes a field that a developer has added to items. */
export const isFurtherField = (line: string): boolean => further.has(line.split(/[: ]+/)[1] ?? '')
