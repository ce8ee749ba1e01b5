import { resources } from './resources.ts'
import type { Tx } from './store.ts'
import { searchFormsOf } from './users.ts'

/** Rows that one transaction fills, so that on SQLite others wait for some milliseconds only. */
const ROWS_AT_ONCE = 200

/**
 * Makes search forms for some rows that were there before search was, or that a server of an earlier version has added.
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
    // The texts again, where somebody has changed them meanwhile.
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
