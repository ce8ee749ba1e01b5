import type { OwnedRow } from '../../store/owned.ts'
import type { OwnedTable } from '../../store/tables.ts'
import { demoItem } from './items.ts'

/** Creates a demo row of each resource. */
export const demoRows: Record<OwnedTable, (index: number, owners: number) => OwnedRow> = {
  items: demoItem,
}
