import type { Config } from '../platform/config.ts'
import type { FileStorage } from '../platform/file-storage.ts'
import { createBucketStorage } from './bucket.ts'
import { createFolderStorage } from './folder.ts'

export function createStorage({ files }: Pick<Config, 'files'>, warn: (message: string) => void): FileStorage {
  return files.bucket ? createBucketStorage(files.bucket, warn) : createFolderStorage(files.folder)
}
