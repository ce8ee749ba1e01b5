import { mkdir, open, unlink } from 'node:fs/promises'
import type { ReadStream } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { freeDiskBytes } from './disk-space.ts'

/** The free space is checked again each time this number of bytes is written. */
const CHECK_BYTES = 16 * 1024 * 1024

export class NoRoom extends Error {
  override name = 'NoRoom'
}

/**
 * Files without a name, which only this process can read, and which the system deletes when the process ends. A slow
 * reader keeps its file, so the files of one owner take at most as much space as stays free for others.
 * @param options.maxBytes for all files together
 */
export function createTemporaryFiles(
  folder: string,
  { maxBytes, reserveBytes }: { maxBytes: number; reserveBytes?: number },
) {
  const sizes = new Map<string, number>()
  let total = 0

  function count(owner: string, bytes: number): void {
    total += bytes
    const own = sizeOf(owner) + bytes
    if (own > 0) sizes.set(owner, own)
    else sizes.delete(owner)
  }

  const sizeOf = (owner: string): number => sizes.get(owner) ?? 0

  async function requireRoom(owner: string): Promise<void> {
    if ((await freeDiskBytes(folder, reserveBytes)) < sizeOf(owner)) throw new NoRoom('The disk is almost full')
  }

  return {
    /** @throws NoRoom */
    async open(owner: string) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await requireRoom(owner)
      const path = join(folder, randomUUID())
      const handle = await open(path, 'wx+', 0o600)
      await unlink(path).catch(async (error: unknown) => {
        await handle.close()
        throw error
      })
      let size = 0
      let checkedAt = 0
      let isClosed = false
      const forget = (): void => {
        if (!isClosed) count(owner, -size)
        isClosed = true
      }
      return {
        size: () => size,
        /** @throws NoRoom */
        async append(text: string): Promise<void> {
          if (isClosed) throw new Error('The file is closed')
          const bytes = Buffer.from(text)
          const left = maxBytes - total - bytes.length
          if (sizeOf(owner) + bytes.length > left) throw new NoRoom('The temporary files are too large')
          count(owner, bytes.length)
          size += bytes.length
          if (size - checkedAt > CHECK_BYTES) {
            await requireRoom(owner)
            checkedAt = size
          }
          for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done)).bytesWritten
        },
        read(): ReadStream {
          const stream = handle.createReadStream({ start: 0 })
          stream.once('close', forget)
          return stream
        },
        async close(): Promise<void> {
          forget()
          await handle.close()
        },
      }
    },
  }
}
