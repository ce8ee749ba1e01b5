import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { type FileStorage, storageAway, storageFull } from '../platform/file-storage.ts'
import { syncToDisk } from '../platform/lib/durable-files.ts'

/** What stays free on the disk, which the database may share. */
const RESERVE_BYTES = 128 * 1024 ** 2

const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** Contents as files of a folder, each named by its id. */
export function createFolderStorage(folder: string): FileStorage {
  const pathOf = (id: string): string => join(folder, id)

  async function requireRoom(size: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < size + RESERVE_BYTES) throw storageFull()
  }

  return {
    place: folder,
    lateMs: 0,

    async put(id, content, size) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await requireRoom(size)
        await write(pathOf(id), content)
        syncToDisk(folder)
      } catch (error) {
        await rm(pathOf(id), { force: true }).catch(() => {})
        throw toStorageError(error)
      }
    },

    async get(id) {
      try {
        return (await open(pathOf(id))).createReadStream()
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw toStorageError(error)
      }
    },

    async delete(id) {
      await rm(pathOf(id), { force: true }).catch((error: unknown) => {
        throw toStorageError(error)
      })
    },
  }
}

async function write(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | null)?.code)

function toStorageError(error: unknown): unknown {
  if (fullCodes.has(codeOf(error))) return storageFull()
  return isUnavailable(error) ? storageAway() : error
}
