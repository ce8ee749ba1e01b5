import { itemsTable } from './items/queries.ts'
import type { createOwned } from './owned/queries.ts'
import type { Tx } from './platform/database/store.ts'

type Resource = Pick<
  ReturnType<typeof createOwned>,
  'table' | 'counts' | 'beginCounts' | 'endCount' | 'deleteSome' | 'insertMany' | 'searched'
>

/** All resources that belong to accounts, one line for each. Transactions process them in this order. */
export const resources: readonly Resource[] = [itemsTable]

/** Inserts counts of zero for new accounts. */
export async function beginCounts(tx: Tx, ownerIds: string[]): Promise<void> {
  for (const resource of resources) await resource.beginCounts(tx, ownerIds)
}

/**
 * Deletes a user's counts and subtracts them from the totals. Call it before `deleteOwnedBy`. Afterwards no transaction
 * can insert or delete rows of this user.
 * @returns the number of rows of each resource; `undefined` if the user does not exist
 */
export async function endCounts(tx: Tx, ownerId: string): Promise<Map<Resource, number> | undefined> {
  const counted = new Map<Resource, number>()
  for (const resource of resources) {
    const count = await resource.endCount(tx, ownerId)
    if (count !== undefined) counted.set(resource, count)
  }
  return counted.size === 0 ? undefined : counted
}

/**
 * Deletes a batch of a user's rows. Call it before the user is deleted. If there are more, these are only hidden, and
 * `deleteOwnedOfDeletedOwners` deletes them later.
 * @param counted as `endCounts` returned it
 */
export async function deleteOwnedBy(
  tx: Tx,
  ownerId: string,
  counted: Map<Resource, number>,
  now: number,
): Promise<void> {
  let hasMore = false
  for (const [resource, count] of counted)
    if (count > 0 && (await resource.deleteSome(tx, ownerId)) < count) hasMore = true
  if (hasMore) await tx.insertInto('deleted_owners').values({ owner_id: ownerId, deleted_at: now }).execute()
}

/** Deletes a batch of rows of a deleted owner. @returns whether there may be more */
export async function deleteOwnedOfDeletedOwners(tx: Tx): Promise<boolean> {
  const next = tx.selectFrom('deleted_owners as next').select('next.owner_id').limit(1)
  // Locks the row, as in `lockUser`. A concurrent server waits here, and then sees which rows are left.
  const owner = await tx
    .updateTable('deleted_owners')
    .set((e) => ({ deleted_at: e.ref('deleted_at') }))
    .where('owner_id', '=', next)
    .returning('owner_id')
    .executeTakeFirst()
  if (!owner) return false
  for (const resource of resources) if ((await resource.deleteSome(tx, owner.owner_id)) > 0) return true
  await tx.deleteFrom('deleted_owners').where('owner_id', '=', owner.owner_id).execute()
  return true
}
