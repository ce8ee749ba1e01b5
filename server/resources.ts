import type { CanSeeRow } from './files/rules.ts'
import { itemsTable } from './items/queries.ts'
import type { createResourceTable } from './resource/queries.ts'
import { visibleOwner } from './users/access.ts'

type Resource = Omit<ReturnType<typeof createResourceTable>, 'fields' | 'insert' | 'versionOf'>

/** All resources that belong to accounts. */
export const resources: readonly Resource[] = [
  // One entry on each line, because `npm run new -- remove` removes lines.
  itemsTable,
]

export const takesFiles = resources.some(({ files }) => files.length > 0)

/** Everybody who may see a row may download its files. */
export const canSeeRow: CanSeeRow = async ({ store }, actor, { resource, rowId }) => {
  const found = resources.find(({ table }) => table === resource)
  return (await found?.find(store.db, { id: rowId, ownerId: visibleOwner(actor) })) !== undefined
}
