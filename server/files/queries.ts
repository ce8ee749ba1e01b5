import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'

export type FileRow = Tables['files']

/** The public facts of a stored file. They never change, so the row with the file keeps a copy of them. */
export interface FileFacts {
  id: string
  name: string
  type: string
  size: number
}

export interface RowKey {
  resource: string
  rowId: string
}

const facts = ['id', 'name', 'type', 'size'] as const

/** The `expires_at` of a file that was detached from its row, until a job sets the time. */
const EXPIRY_NOT_SET = 0
const AT_ONCE = 300

/** Counts the files of an account, including detached files until their content is deleted. */
export async function usageOf(tx: Tx, ownerId: string): Promise<{ bytes: number; unattached: number }> {
  const row = await tx
    .selectFrom('files')
    .where('owner_id', '=', ownerId)
    .select([
      sql`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
      sql`coalesce(sum(case when row_id is null then 1 else 0 end), 0)`.as('unattached'),
    ])
    .executeTakeFirstOrThrow()
  return { bytes: Number(row.bytes), unattached: Number(row.unattached) }
}

export async function insertFile(
  tx: Tx,
  file: Pick<FileRow, 'id' | 'owner_id' | 'name' | 'size' | 'created_at' | 'expires_at'>,
): Promise<void> {
  const values = { ...file, type: null, resource: null, row_id: null }
  await tx.insertInto('files').values(values).execute()
}

/** Records that the content is stored. @returns whether the file is still there */
export async function completeFile(tx: Tx, id: string, type: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable('files').set({ type }).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findFile(db: Db, id: string): Promise<(FileRow & FileFacts) | undefined> {
  const row = await db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
  return row && row.type !== null ? { ...row, type: row.type } : undefined
}

export async function deleteExpiringFiles(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('files').where('id', 'in', ids).where('expires_at', 'is not', null).execute()
}

/** Attaches an unattached file of the owner to a row, unless the file expires before `until`. */
export async function attachFile(
  tx: Tx,
  { id, ownerId, until }: { id: string; ownerId: string; until: number },
  { resource, rowId }: RowKey,
): Promise<FileFacts | undefined> {
  const row = await tx
    .updateTable('files')
    .set({ resource, row_id: rowId, expires_at: null })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('row_id', 'is', null)
    .where('type', 'is not', null)
    .where('expires_at', '>', until)
    .returning(facts)
    .executeTakeFirst()
  return row && { ...row, type: row.type ?? '' }
}

export async function expireFile(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('files').set({ expires_at: at }).where('id', '=', id).where('row_id', 'is', null).execute()
}

/** Detaches a file from its row. When the row is deleted, a trigger does it. */
export async function detachFile(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('files').set({ expires_at: EXPIRY_NOT_SET }).where('id', '=', id).execute()
}

/** Sets when detached files expire. @returns whether there may be more detached files */
export async function setExpiry(tx: Tx, expiresAt: number): Promise<boolean> {
  const some = tx.selectFrom('files').select('id').where('expires_at', '=', EXPIRY_NOT_SET).limit(AT_ONCE)
  const expired = tx.updateTable('files').set({ expires_at: expiresAt }).where('id', 'in', some)
  return (await expired.executeTakeFirst()).numUpdatedRows >= BigInt(AT_ONCE)
}

export async function findExpired(db: Db, now: number, except: readonly string[]): Promise<string[]> {
  let rows = db.selectFrom('files').select('id').where('expires_at', '>', EXPIRY_NOT_SET).where('expires_at', '<=', now)
  if (except.length > 0) rows = rows.where('id', 'not in', except)
  return (await rows.limit(AT_ONCE).execute()).map(({ id }) => id)
}
