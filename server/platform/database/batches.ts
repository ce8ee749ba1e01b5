import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { Db, Tx } from './store.ts'

/** A batch of this size delays other requests on SQLite by a few milliseconds. */
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

/** Returns the ids of the first rows whose texts fit into a batch, but at least one. @param texts names of columns */
export async function firstIds(
  db: Db,
  table: string,
  texts: readonly string[],
  where: RawBuilder<unknown>,
): Promise<string[]> {
  return fitting(await sizes(db, table, texts, sql`${where} limit ${BATCH_ROWS}`))
}

/** Returns the first of these ids whose rows fit into a batch, but at least one. An unknown id has the size 0. */
export async function fittingIds(
  db: Db,
  table: string,
  texts: readonly string[],
  ids: readonly string[],
): Promise<string[]> {
  const known = await sizes(db, table, texts, sql`id in (${sql.join(ids)})`)
  const sizeOf = new Map(known.map(({ id, size }) => [id, size]))
  return fitting(ids.map((id) => ({ id, size: sizeOf.get(id) ?? 0 })))
}

async function sizes(db: Db, table: string, texts: readonly string[], where: RawBuilder<unknown>): Promise<Sized[]> {
  const size = sql.join(
    texts.map((text) => sql`coalesce(octet_length(${sql.ref(text)}), 0)`),
    sql` + `,
  )
  return (await sql<Sized>`select id, ${size} as size from ${sql.table(table)} where ${where}`.execute(db)).rows
}

interface Sized {
  id: string
  size: number
}

/** Returns at least one id, even if the first row alone is larger than a batch. */
function fitting(rows: readonly Sized[]): string[] {
  let sum = 0
  const first = rows.findIndex(({ size }) => (sum += size) > BATCH_BYTES)
  return rows.slice(0, first < 0 ? rows.length : Math.max(first, 1)).map(({ id }) => id)
}
