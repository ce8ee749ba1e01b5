import { items } from './items.ts'
import { type createOwned, MAX_DELETED_AT_ONCE } from './owned.ts'
import type { Tx } from './store.ts'

type Resource = Pick<
  ReturnType<typeof createOwned>,
  'table' | 'counts' | 'beginCounts' | 'endCount' | 'deleteSome' | 'insertMany' | 'fillSearchForms'
>

/** All that belongs to accounts: one line for each resource. A transaction goes through them in this order. */
export const resources: readonly Resource[] = [items]

/** Begins to count what new accounts have. */
export async function beginCounts(tx: Tx, ownerIds: string[]): Promise<void> {
  for (const resource of resources) await resource.beginCounts(tx, ownerIds)
}

/**
 * Takes what a user has out of all counts, before `deleteOwnedBy`. Nobody adds or deletes any of it from then on.
 * @returns how much there is of each resource; `undefined` when there is no such user
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
 * Deletes all that a user has, before the user. A few rows are deleted at once. Nobody sees any of many from now on, and
 * `deleteOwnedOfDeletedOwners` deletes them later.
 * @param counted as `endCounts` returned it
 */
export async function deleteOwnedBy(
  tx: Tx,
  ownerId: string,
  counted: Map<Resource, number>,
  now: number,
): Promise<void> {
  if ([...counted.values()].some((count) => count > MAX_DELETED_AT_ONCE)) {
    await tx.insertInto('deleted_owners').values({ owner_id: ownerId, deleted_at: now }).execute()
    return
  }
  for (const [resource, count] of counted) if (count > 0) await resource.deleteSome(tx, ownerId)
}

/** Deletes some of what deleted owners had. @returns whether there may be more */
export async function deleteOwnedOfDeletedOwners(tx: Tx): Promise<boolean> {
  const next = tx.selectFrom('deleted_owners as next').select('next.owner_id').limit(1)
  // As lockUser does it: another server that is at it waits, and then sees which rows are left.
  const owner = await tx
    .updateTable('deleted_owners')
    .set((e) => ({ deleted_at: e.ref('deleted_at') }))
    .where('owner_id', '=', next)
    .returning('owner_id')
    .executeTakeFirst()
  if (!owner) return false
  for (const resource of resources) if ((await resource.deleteSome(tx, owner.owner_id)) > 0n) return true
  await tx.deleteFrom('deleted_owners').where('owner_id', '=', owner.owner_id).execute()
  return true
}
