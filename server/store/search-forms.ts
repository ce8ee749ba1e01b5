import { resources } from './resources.ts'
import type { Tx } from './store.ts'
import { searchFormsOf } from './users.ts'

/** Rows per transaction, so that other writers on SQLite wait only some milliseconds. */
const ROWS_AT_ONCE = 200

/**
 * Creates missing search forms for a batch of rows. Rows that an earlier version inserted have none.
 * @returns whether there may be more
 */
export async function fillSearchForms(tx: Tx): Promise<boolean> {
  const users = await tx
    .selectFrom('users')
    .select(['id', 'email', 'full_name'])
    .where('email_search', 'is', null)
    .limit(ROWS_AT_ONCE)
    .execute()
  for (const { id, email, full_name } of users) {
    // The conditions on the texts skip rows that were changed in the meantime.
    await tx
      .updateTable('users')
      .set(searchFormsOf({ email, full_name }))
      .where('id', '=', id)
      .where('email', '=', email)
      .where('full_name', 'is not distinct from', full_name)
      .execute()
  }
  if (users.length > 0) return true
  for (const resource of resources) if (await resource.fillSearchForms(tx)) return true
  return false
}
