import type { Item } from '../items/queries.ts'
import { itemSample } from '../items/sample.ts'

/** The fields of an item with the required ones only. */
export const plainItem = itemSample.leastStored as Omit<Item, 'id' | 'owner_id' | 'created_at'>

const further = new Set(Object.keys(plainItem).filter((field) => field !== 'title' && field !== 'description'))

/** Whether a line `table column type` describes a field that items did not have at first. */
export const isFurtherField = (line: string): boolean => further.has(line.split(/[: ]+/)[1] ?? '')
