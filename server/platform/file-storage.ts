import type { Readable } from 'node:stream'
import { DomainError } from './errors.ts'

/** Where the contents of files are. Each is written once and never changed. */
export interface FileStorage {
  /** Shown to operators. */
  place: string
  /** How long after a failed `put` the content may still arrive, in milliseconds. */
  lateMs: number
  /** Stores all or nothing, durably. @throws DomainError `no-space`, `busy`; and what `content` throws */
  put(id: string, content: AsyncIterable<Buffer>, size: number): Promise<void>
  /** @returns `undefined` if there is no content @throws DomainError `busy` */
  get(id: string): Promise<Readable | undefined>
  /** Deletes a content, if there is one. @throws DomainError `busy` */
  delete(id: string): Promise<void>
}

export function storageFull(): DomainError {
  return new DomainError('no-space', 'There is no space left for files')
}

export function storageUnavailable(): DomainError {
  return new DomainError('busy', 'Files are not available at the moment, please try again', { retryAfter: 30 })
}
