import { type Kysely, type RawBuilder, sql } from 'kysely'
import { columnsOf } from '../platform/database/schema.ts'
import type { Tx } from '../platform/database/store.ts'
import { resources } from '../resources.ts'
import { type Links, nameFieldOf } from './link.ts'

export type Resource = (typeof resources)[number]

export const resourceOf = (table: string): Resource => resources.find((one) => one.table === table) as Resource

/**
 * Returns columns with the names of linked rows, for queries of `table`.
 * @param ownerId the reader sees names of rows of this owner; `undefined` sees all
 */
export function nameColumns(table: string, links: Links, ownerId: string | undefined): RawBuilder<unknown>[] {
  return Object.entries(links).map(([field, { to }]) => {
    const name = resourceOf(to).nameOf(sql.ref(`${table}.${field}`), ownerId)
    return sql`${name} as ${sql.id(nameFieldOf(field))}`
  })
}

export async function isRequired(tx: Tx, table: string, field: string): Promise<boolean> {
  const columns = await columnsOf(tx as unknown as Kysely<unknown>, table)
  return columns.some(({ name, isRequired: isIt }) => name === field && isIt)
}

const OWNERS_AT_ONCE = 100

export async function findDeletedOwners(tx: Tx): Promise<string[]> {
  const found = await tx.selectFrom('deleted_owners').select('owner_id').limit(OWNERS_AT_ONCE).execute()
  return found.map((row) => row.owner_id)
}

export async function forgetOwners(tx: Tx, owners: readonly string[]): Promise<void> {
  for (const table of ['counts', 'deleted_owners'] as const)
    await tx.deleteFrom(table).where('owner_id', 'in', owners).execute()
}
