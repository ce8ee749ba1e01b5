import { itemsTable } from './items/queries.ts'
import type { createOwned } from './owned/queries.ts'
import type { Db, Tx } from './platform/database/store.ts'

type Resource = Pick<
  ReturnType<typeof createOwned>,
  'table' | 'counts' | 'beginCounts' | 'countsOf' | 'endCounts' | 'deleteSome' | 'insertMany' | 'searched'
>

/** All resources that belong to accounts, one line for each. Transactions process them in this order. */
export const resources: readonly Resource[] = [itemsTable]

/** Inserts counts of zero for new accounts. */
export async function beginCounts(tx: Tx, ownerIds: string[]): Promise<void> {
  for (const resource of resources) await resource.beginCounts(tx, ownerIds)
}

/** The number of rows of any resource, by user. */
export async function countOwned(db: Db, ownerIds: readonly string[]): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const resource of resources)
    for (const [id, count] of await resource.countsOf(db, ownerIds)) numbers.set(id, (numbers.get(id) ?? 0) + count)
  return numbers
}

/**
 * Deletes the counts of users and subtracts them from the totals. Call it before `deleteOwnedBy`. Afterwards no
 * transaction can insert or delete rows of these users.
 * @returns the number of rows of each resource, by user, of those that exist
 */
export async function endCounts(tx: Tx, ownerIds: readonly string[]): Promise<Map<Resource, Map<string, number>>> {
  const counted = new Map<Resource, Map<string, number>>()
  for (const resource of resources) counted.set(resource, await resource.endCounts(tx, ownerIds))
  return counted
}

/**
 * Deletes a batch of the rows of each user. Call it before the users are deleted. If a user has more, these are only
 * hidden, and `deleteOwnedOfDeletedOwners` deletes them later.
 * @param counted as `endCounts` returned it
 */
export async function deleteOwnedBy(tx: Tx, counted: Map<Resource, Map<string, number>>, now: number): Promise<void> {
  const left = new Set<string>()
  for (const [resource, counts] of counted)
    for (const [id, count] of counts) if (count > 0 && (await resource.deleteSome(tx, id)) < count) left.add(id)
  const rows = Array.from(left, (owner_id) => ({ owner_id, deleted_at: now }))
  if (rows.length > 0) await tx.insertInto('deleted_owners').values(rows).execute()
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
