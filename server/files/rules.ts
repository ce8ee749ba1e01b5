import { pipeline, type Readable, Transform } from 'node:stream'
import { v7 as uuid } from 'uuid'
import { type Act, change } from '../sessions/change.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { storageUnavailable } from '../platform/file-storage.ts'
import type { AccountActor } from '../users/access.ts'
import { toFileName } from './names.ts'
import {
  attachFile,
  completeFile,
  deleteExpiringFiles,
  detachFile,
  expireFile,
  type FileFacts,
  findFile,
  insertFile,
  type RowKey,
  usageOf,
} from './queries.ts'
import { receive } from './receive.ts'
import { typeOf } from './types.ts'

// docs/decisions/0041-files.md

export type { FileFacts } from './queries.ts'

export interface FileLink {
  id: string
}

/**
 * A file without a row is deleted after this time. A backup copies the database and then the files. If it takes less
 * time, it contains every file to which the copied database refers.
 */
export const KEPT_MS = 24 * 3_600_000
/** A file cannot be attached in its last hour, because the clock of another server may be ahead and delete the file. */
const MARGIN_MS = 3_600_000
/** An account may have this many files without a row, including running uploads. */
const MAX_UNATTACHED = 100
const MB = 1024 ** 2

/** Refuses uploads if no resource has files, because they could only fill the disk. @throws DomainError `not-found` */
export function requireFileFields(takesFiles: boolean): void {
  if (!takesFiles) throw new DomainError('not-found', 'There are no fields for files')
}

export type CanSeeRow = (context: Context, actor: AccountActor, row: RowKey) => Promise<boolean>

/**
 * @throws DomainError `too-large`, `conflict` beyond the quota, `too-many`, `unprocessable`, `no-space`, `busy`,
 * `unauthenticated`
 */
export async function uploadFile(
  context: Context,
  actor: AccountActor,
  given: { name: string; size: number; content: Readable },
): Promise<FileFacts> {
  const { files, config, stopping } = context
  const { size, content } = given
  const { maxBytes } = config.files
  if (size === 0) throw new DomainError('unprocessable', 'The file is empty', { field: 'file' })
  if (size > maxBytes) throw new DomainError('too-large', `A file may have at most ${maxBytes / MB} MB`)
  const id = uuid()
  const name = toFileName(given.name)
  await change(context, actor, { lock: 'own-account' }, (act) => reserve(act, { id, name, size }))
  try {
    const received = receive(content, size, stopping)
    await files.put(id, received.chunks, size)
    const type = typeOf(received.head())
    await change(context, actor, {}, async (act) => {
      if (!(await completeFile(act.tx, id, type))) throw new DomainError('conflict', 'The upload took too long')
    })
    return { id, name, type, size }
  } catch (error) {
    await discardFile(context, id).catch(() => {})
    throw error
  }
}

/** Deletes what a failed upload stored. A job does it later if the storage is unavailable or may still store more. */
async function discardFile({ store, files, now }: Context, id: string): Promise<void> {
  const isDeleted = await files.delete(id).then(
    () => files.lateMs === 0,
    () => false,
  )
  await (isDeleted ? deleteExpiringFiles(store.db, [id]) : expireFile(store.db, id, now() + files.lateMs))
}

/** Counts a file for the quota before its content comes. The account is locked, so uploads are counted one by one. */
async function reserve(act: Act<AccountActor>, file: { id: string; name: string; size: number }): Promise<void> {
  const { now, config } = act
  const owner_id = act.actor.user.id
  const { quotaBytes } = config.files
  const { bytes, unattached } = await usageOf(act.tx, owner_id)
  if (bytes + file.size > quotaBytes) {
    const detail = `Your files may take ${quotaBytes / MB} MB, of which ${Math.ceil(bytes / MB)} MB are used`
    throw new DomainError('conflict', `${detail}. What removed files took is free after a day`)
  }
  if (unattached >= MAX_UNATTACHED)
    throw new DomainError('too-many', 'There are too many files that were not saved', { retryAfter: KEPT_MS / 1000 })
  await insertFile(act.tx, { ...file, owner_id, created_at: now(), expires_at: now() + KEPT_MS })
}

/** Deletes the content first, because without the row nobody would know of the content. */
export async function removeFile({ store, files }: Context, id: string): Promise<void> {
  await files.delete(id)
  await deleteExpiringFiles(store.db, [id])
}

/**
 * Opens a file if the actor may see its row. A file without a row can be opened by the person who uploaded it.
 * @throws DomainError `not-found`, `gone` if the storage has lost the content, `busy` if the storage is unavailable
 */
export async function openFile(
  context: Context,
  actor: AccountActor,
  id: string,
  canSeeRow: CanSeeRow,
): Promise<{ file: FileFacts; content: () => Promise<Readable> }> {
  const { store, files } = context
  const found = await findFile(store.db, id)
  if (!found) throw notFound()
  const { resource, row_id: rowId, owner_id, expires_at } = found
  const isSeen =
    resource === null || rowId === null
      ? owner_id === actor.user.id
      : expires_at === null && (await canSeeRow(context, actor, { resource, rowId }))
  if (!isSeen) throw notFound()
  const content = async (): Promise<Readable> => {
    const stream = await files.get(id)
    if (!stream) throw contentLost()
    return exactly(stream, found.size)
  }
  return { file: found, content }
}

const contentLost = (): DomainError => new DomainError('gone', 'The content of this file is lost')

/**
 * Passes the content on, and fails if it has another size than `size`, which was sent as `Content-Length`. This happens
 * after a disk fault, and the client would take bytes of the next response for this content.
 * @returns a stream that fails with a DomainError, also if the storage becomes unavailable
 */
function exactly(content: Readable, size: number): Readable {
  let left = size
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(contentLost())
      else done(null, chunk)
    },
    flush: (done) => done(left === 0 ? null : contentLost()),
  })
  content.once('error', () => counted.destroy(storageUnavailable()))
  pipeline(content, counted, () => {})
  return counted
}

const notFound = (): DomainError => new DomainError('not-found', 'File not found')

/**
 * Attaches the files that `values` name to a row, and detaches the files that they replace.
 * @param fields the names of the fields with files
 * @param before the row, unless it is new
 * @throws DomainError `unprocessable` for a file that is missing, another person's or another row's
 */
export async function linkFiles<Values extends object>(
  act: Act<AccountActor>,
  row: RowKey,
  { fields, values, before = {} }: { fields: readonly string[]; values: Values; before?: object },
): Promise<Values> {
  const linked: Record<string, FileFacts | null> = {}
  for (const field of fields) {
    const wanted = linkIn(values, field)
    if (wanted === undefined) continue
    const old = linkIn(before, field) as FileFacts | null | undefined
    if (wanted?.id === old?.id) linked[field] = old ?? null
    else {
      const key = wanted && { id: wanted.id, ownerId: act.actor.user.id, until: act.now() + MARGIN_MS }
      linked[field] = key && ((await attachFile(act.tx, key, row)) ?? refuse(field))
      if (old) await detachFile(act.tx, old.id)
    }
  }
  return { ...values, ...linked }
}

const linkIn = (values: object, field: string): FileLink | null | undefined =>
  (values as Record<string, FileLink | null | undefined>)[field]

function refuse(field: string): never {
  throw new DomainError('unprocessable', 'The file is not there any more, please choose it again', { field })
}
