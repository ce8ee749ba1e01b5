import type { SeesRow } from './files/rules.ts'
import { itemsTable } from './items/queries.ts'
import type { createResourceTable } from './resource/queries.ts'
import type { Tx } from './platform/database/store.ts'
import { visibleOwner } from './users/access.ts'

type Resource = Pick<
  ReturnType<typeof createResourceTable>,
  | 'table'
  | 'links'
  | 'files'
  | 'find'
  | 'findMany'
  | 'nameOf'
  | 'readNames'
  | 'hold'
  | 'lockLinking'
  | 'clear'
  | 'deleteRows'
  | 'deleteSome'
  | 'insertMany'
  | 'searched'
>

/** All resources that belong to accounts, one line for each. */
export const resources: readonly Resource[] = [itemsTable]

/** Whether a field of one is a file. */
export const takesFiles = resources.some(({ files }) => files.length > 0)

/** Who may see a row may download its files. */
export const seesRow: SeesRow = async ({ store }, actor, { resource, rowId }) => {
  const found = resources.find(({ table }) => table === resource)
  return (await found?.find(store.db, { id: rowId, ownerId: visibleOwner(actor) })) !== undefined
}

const OWNERS_AT_ONCE = 100

/** Deletes a batch of rows of deleted owners, which are hidden. @returns whether there may be more */
export async function deleteRowsOfDeletedOwners(tx: Tx): Promise<boolean> {
  const deleted = await tx.selectFrom('deleted_owners').select('owner_id').limit(OWNERS_AT_ONCE).execute()
  const owners = deleted.map((row) => row.owner_id)
  if (owners.length === 0) return false
  for (const resource of resources) if ((await resource.deleteSome(tx, owners)) > 0) return true
  for (const table of ['counts', 'deleted_owners'] as const)
    await tx.deleteFrom(table).where('owner_id', 'in', owners).execute()
  return true
}
