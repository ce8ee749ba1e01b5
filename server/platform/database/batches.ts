import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { Db, Tx } from './store.ts'

/**
 * The size of one batch of changes. On SQLite a batch delays other requests, by a few milliseconds for so many rows or
 * so much text.
 */
const BATCH_ROWS = 300
const BATCH_BYTES = 256 * 1024

/** Deletes a batch of rows. @returns whether there may be more */
export async function deleteBatch(
  tx: Tx,
  table: keyof Tables,
  key: string,
  where: RawBuilder<unknown>,
): Promise<boolean> {
  const some = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${where} limit ${BATCH_ROWS}`
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ${sql.ref(key)} in (${some}) and ${where}`.execute(tx)
  return numAffectedRows >= BigInt(BATCH_ROWS)
}

/**
 * The ids of the first rows whose texts together have about the size of a batch, at least one.
 * @param texts columns
 */
export async function firstIds(
  db: Db,
  table: string,
  texts: readonly string[],
  where: RawBuilder<unknown>,
): Promise<string[]> {
  const size = sql.join(
    texts.map((text) => sql`coalesce(octet_length(${sql.ref(text)}), 0)`),
    sql` + `,
  )
  const { rows } = await sql<{ id: string; size: number }>`
    select id, ${size} as size from ${sql.table(table)} where ${where} limit ${BATCH_ROWS}`.execute(db)
  let bytes = 0
  const fitting = rows.findIndex((row) => (bytes += row.size) > BATCH_BYTES)
  return rows.slice(0, fitting < 0 ? rows.length : Math.max(fitting, 1)).map(({ id }) => id)
}
