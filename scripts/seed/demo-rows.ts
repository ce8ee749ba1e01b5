import { demoItem } from './items.ts'
import type { ResourceRow } from '../../server/resource/queries.ts'
import type { ResourceTable } from '../../server/tables.ts'

export type MakeRow = (index: number, owners: number, now: number) => ResourceRow

/** Creates a demo row of each resource. */
export const demoRows: Record<ResourceTable, MakeRow> = {
  items: demoItem,
}
