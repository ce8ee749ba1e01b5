import { type RawBuilder, sql } from 'kysely'
import { resources } from '../resources.ts'
import { type Links, nameFieldOf } from './link.ts'

export type Resource = (typeof resources)[number]

export const resourceOf = (table: string): Resource => resources.find((one) => one.table === table) as Resource

/**
 * Further columns of a query of a table: the names of the linked rows.
 * @param ownerId whose rows the reader sees; `undefined` sees all
 */
export function nameColumns(table: string, links: Links, ownerId: string | undefined): RawBuilder<unknown>[] {
  return Object.entries(links).map(([field, { to }]) => {
    const name = resourceOf(to).nameOf(sql.ref(`${table}.${field}`), ownerId)
    return sql`${name} as ${sql.id(nameFieldOf(field))}`
  })
}
