import { itemsTable } from './items/queries.ts'
import type { createOwned } from './owned/queries.ts'
import type { Tx } from './platform/database/store.ts'

type Resource = Pick<
  ReturnType<typeof createOwned>,
  'table' | 'counts' | 'beginCounts' | 'endCounts' | 'deleteSome' | 'insertMany' | 'searched'
>

/** All resources that belong to accounts, one line for each. Transactions process them in this order. */
export const resources: readonly Resource[] = [itemsTable]

const OWNERS_AT_ONCE = 100

/** Inserts counts of zero for new accounts. */
export async function beginCounts(tx: Tx, ownerIds: string[]): Promise<void> {
  for (const resource of resources) await resource.beginCounts(tx, ownerIds)
}

/**
 * Deletes the counts of users and subtracts them from the totals. Afterwards no
 * transaction can insert or delete rows of these users.
 * @returns the number of rows of each resource, by user, of those that exist
 */
export async function endCounts(tx: Tx, ownerIds: readonly string[]): Promise<Map<Resource, Map<string, number>>> {
  const counted = new Map<Resource, Map<string, number>>()
  for (const resource of resources) counted.set(resource, await resource.endCounts(tx, ownerIds))
  return counted
}

/**
 * Hides the rows of users who are deleted. `deleteOwnedOfDeletedOwners` deletes them later.
 * @param counted as `endCounts` returned it
 */
export async function hideOwnedBy(tx: Tx, counted: Map<Resource, Map<string, number>>, now: number): Promise<void> {
  const owners = [...counted.values()].flatMap((counts) => [...counts.keys()].filter((id) => counts.get(id) !== 0))
  const rows = Array.from(new Set(owners), (owner_id) => ({ owner_id, deleted_at: now }))
  if (rows.length > 0) await tx.insertInto('deleted_owners').values(rows).execute()
}

/** Deletes a batch of rows of deleted owners. @returns whether there may be more */
export async function deleteOwnedOfDeletedOwners(tx: Tx): Promise<boolean> {
  const deleted = await tx.selectFrom('deleted_owners').select('owner_id').limit(OWNERS_AT_ONCE).execute()
  const owners = deleted.map((row) => row.owner_id)
  if (owners.length === 0) return false
  for (const resource of resources) if ((await resource.deleteSome(tx, owners)) > 0) return true
  await tx.deleteFrom('deleted_owners').where('owner_id', 'in', owners).execute()
  return true
}
