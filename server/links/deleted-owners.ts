import { withoutChangesOfDeletedOwners } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/store.ts'
import { resources } from '../resources.ts'
import { findDeletedOwners, forgetOwners, isRequired, type Resource } from './queries.ts'
import { linksTo } from './rules.ts'

// The rows of deleted accounts are hidden at once and deleted later: docs/decisions/0018-plain-lists.md.

/** Resources with links come before the resources to which they link, unless these link back. */
function inDeletionOrder(): Set<Resource> {
  const ordered = new Set<Resource>()
  const begun = new Set<Resource>()
  function add(resource: Resource): void {
    if (begun.has(resource)) return
    begun.add(resource)
    for (const { from } of linksTo(resource.table)) add(from)
    ordered.add(resource)
  }
  for (const resource of resources) add(resource)
  return ordered
}

/**
 * Deletes a batch of the rows of deleted accounts. Live clients get no hints of it, because nobody sees these rows.
 * @param at the time of change of other rows whose links are cleared
 * @returns whether there may be more such rows
 */
export async function deleteRowsOfDeletedOwners(tx: Tx, at: number): Promise<boolean> {
  const owners = await findDeletedOwners(tx)
  if (owners.length === 0) return false
  for (const resource of inDeletionOrder()) {
    const ids = await resource.findSome(tx, owners)
    if (ids.length === 0) continue
    await withoutChangesOfDeletedOwners(tx, () => deleteOrRelease(tx, { resource, ids }, at))
    return true
  }
  await forgetOwners(tx, owners)
  return true
}

interface Rows {
  resource: Resource
  ids: readonly string[]
}

/**
 * Deletes rows if no other rows link to them. Otherwise it deletes a batch of these other rows, or clears their links.
 * Foreign keys would do the same, but not in batches.
 * @param before rows of the calling steps of the recursion; if they link in a circle, foreign keys delete them
 */
async function deleteOrRelease(
  tx: Tx,
  { resource, ids }: Rows,
  at: number,
  before: readonly Rows[] = [],
): Promise<void> {
  const kept = [...before, { resource, ids }]
  for (const { from, field } of linksTo(resource.table)) {
    const except = kept.flatMap((rows) => (rows.resource === from ? rows.ids : []))
    const linking = await from.findLinking(tx, field, ids, except)
    if (linking.length === 0) continue
    if (await isRequired(tx, from.table, field)) await deleteOrRelease(tx, { resource: from, ids: linking }, at, kept)
    else await from.clear(tx, field, linking, at)
    return
  }
  await resource.deleteRows(tx, ids)
}
