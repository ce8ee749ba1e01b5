import { demoItem } from '../../items/demo.ts'
import type { OwnedRow } from '../../owned/queries.ts'
import type { OwnedTable } from '../../tables.ts'

/** Creates a demo row of each resource. */
export const demoRows: Record<OwnedTable, (index: number, owners: number, now: number) => OwnedRow> = {
  items: demoItem,
}
