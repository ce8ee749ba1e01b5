import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { type FileStorage, storageUnavailable, storageFull } from '../platform/file-storage.ts'
import { reserveDiskBytes, type Reservation } from '../platform/lib/disk-space.ts'
import { syncToDisk } from '../platform/lib/durable-files.ts'

const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

export function createFolderStorage(folder: string): FileStorage {
  const pathOf = (id: string): string => join(folder, id)

  return {
    place: folder,
    lateMs: 0,

    async put(id, content, size) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const room = await reserveDiskBytes(folder, size)
        if (!room) throw storageFull()
        try {
          await write(pathOf(id), counted(content, room))
        } finally {
          room.end()
        }
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

async function* counted(content: AsyncIterable<Buffer>, room: Reservation): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield chunk
    room.wrote(chunk.length)
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
  return isUnavailable(error) ? storageUnavailable() : error
}
