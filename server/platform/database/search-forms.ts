import { type Kysely, sql } from 'kysely'
import { firstIds } from './batches.ts'
import { searchColumn, searchFormsOf } from './search-columns.ts'
import type { Tx } from './store.ts'

/**
 * Creates missing search forms for a batch of rows. Rows that an earlier version inserted have none.
 * @returns whether there may be more
 */
export async function fillSearchForms(tx: Tx, searchedTables: readonly SearchedTable[]): Promise<boolean> {
  for (const { table, searched } of searchedTables)
    if (await fillTable(tx as unknown as AnyTx, table, searched)) return true
  return false
}

export interface SearchedTable {
  table: string
  /** The first column must not be nullable. */
  searched: readonly [string, ...string[]]
}

type AnyTx = Kysely<Record<string, Record<string, unknown>>>

async function fillTable(tx: AnyTx, table: string, fields: readonly [string, ...string[]]): Promise<boolean> {
  const ids = await firstIds(tx, table, fields, sql`${sql.ref(searchColumn(fields[0]))} is null`)
  if (ids.length === 0) return false
  const rows = await tx
    .selectFrom(table)
    .select(['id', ...fields])
    .where('id', 'in', ids)
    .execute()
  for (const { id, ...texts } of rows) {
    // The conditions on the texts skip rows that were changed in the meantime.
    await tx
      .updateTable(table)
      .set(searchFormsOf(texts, fields))
      .where('id', '=', id)
      .where((e) => e.and(fields.map((field) => e(field, 'is not distinct from', texts[field]))))
      .execute()
  }
  return true
}
