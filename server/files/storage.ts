import type { Config } from '../platform/config.ts'
import type { FileStorage } from '../platform/file-storage.ts'
import { createFolderStorage } from './folder.ts'

/** The configured storage. */
export function createStorage({ files }: Pick<Config, 'files'>): FileStorage {
  return createFolderStorage(files.folder)
}
