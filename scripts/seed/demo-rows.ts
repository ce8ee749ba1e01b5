import { demoItem } from './items.ts'
import type { ResourceRow } from '../../server/resource/queries.ts'
import type { ResourceTable } from '../../server/tables.ts'

export type MakeRow = (index: number, owners: number, now: number) => ResourceRow | undefined

/** Sorts tables so that linked ones come before those that link to them. Cycles of links have no such order. */
export function linkedFirst<Table extends string>(
  tables: readonly Table[],
  linkedBy: (table: Table) => readonly Table[],
): Table[] {
  const ordered = new Set<Table>()
  const add = (table: Table, above: readonly Table[]): void => {
    if (above.includes(table)) return
    for (const linked of linkedBy(table)) add(linked, [...above, table])
    ordered.add(table)
  }
  for (const table of tables) add(table, [])
  return [...ordered]
}

/** Makes a demo row of each resource. Returns `undefined` if it must link to a row and its owner has none. */
export const demoRows: Record<ResourceTable, MakeRow> = {
  items: demoItem,
}
