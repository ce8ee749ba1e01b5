import { type RawBuilder, sql } from 'kysely'
import { resources } from '../resources.ts'
import { type Links, nameFieldOf } from './link.ts'

/**
 * Further columns of a query of a table: the names of the linked rows.
 * @param ownerId whose rows the reader sees; `undefined` sees all
 */
export function nameColumns(table: string, links: Links, ownerId: string | undefined): RawBuilder<unknown>[] {
  return Object.entries(links).flatMap(([field, { to }]) => {
    const linked = resources.find((one) => one.table === to)
    const id = sql.ref(`${table}.${field}`)
    return linked ? [sql`${linked.nameOf(id, ownerId)} as ${sql.id(nameFieldOf(field))}`] : []
  })
}
