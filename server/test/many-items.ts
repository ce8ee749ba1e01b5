import { insertResourceRows } from '../../scripts/seed/bulk.ts'
import { type Item, itemsTable } from '../items/queries.ts'
import type { TestApp } from './build-test-app.ts'
import { addInBatches, idOf } from './many-users.ts'

/** Titles are the numbers of the items. */
export async function addItems(
  { store, clock }: Pick<TestApp, 'store' | 'clock'>,
  { id: owner_id }: { id: string },
  count: number,
  factsOf: (index: number) => Partial<Item> = () => ({}),
): Promise<void> {
  const common = { ...itemsTable.initial, owner_id, created_at: clock.now() }
  const make = (index: number): Item => ({ ...common, id: idOf(index), title: `${index}`, ...factsOf(index) })
  await addInBatches(count, make, (rows) => store.transaction((tx) => insertResourceRows(tx, itemsTable, rows)))
}
