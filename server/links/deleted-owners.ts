import { withoutChangesOfDeletedOwners } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/store.ts'
import { resources } from '../resources.ts'
import { findDeletedOwners, forgetOwners, isRequired, type Resource } from './queries.ts'
import { linksTo } from './rules.ts'

// The rows of deleted accounts are hidden at once and deleted later: docs/decisions/0018-plain-lists.md.

/** Rows with links come before the rows that they link to, unless they link to each other. */
function inOrder(): Set<Resource> {
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
 * Deletes a batch of the rows of deleted accounts. It records no hints, as nobody sees these rows.
 * @param at when rows that link to them are changed
 * @returns whether there may be more
 */
export async function deleteRowsOfDeletedOwners(tx: Tx, at: number): Promise<boolean> {
  const owners = await findDeletedOwners(tx)
  if (owners.length === 0) return false
  for (const resource of inOrder()) {
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
 * Deletes rows if none links to them. Otherwise it clears or deletes a batch of the rows that link to them. Foreign
 * keys would do the same, but not in batches.
 * @param before rows that link in a circle, which the foreign keys delete
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
