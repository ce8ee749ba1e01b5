import { demoItem } from './items.ts'
import type { OwnedRow } from '../../server/owned/queries.ts'
import type { OwnedTable } from '../../server/tables.ts'

/** Creates a demo row of each resource. */
export const demoRows: Record<OwnedTable, (index: number, owners: number, now: number) => OwnedRow> = {
  items: demoItem,
}
