import { mkdir, open, unlink } from 'node:fs/promises'
import type { ReadStream } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { roomOnDisk } from './disk-room.ts'

/** After so many bytes, the free space is checked again. */
const CHECK_BYTES = 16 * 1024 * 1024

/** The disk or the limits of temporary files have no room for more. */
export class NoRoom extends Error {
  override name = 'NoRoom'
}

export interface TemporaryFile {
  size(): number
  /** @throws NoRoom */
  append(text: string): Promise<void>
  read(): ReadStream
  close(): Promise<void>
}

/**
 * Files without a name, which only this process can read. They end with the process. The files of one owner take at
 * most as much as stays free for others, as readers may be slow.
 * @param options.maxBytes for all files together
 * @param options.reserveBytes what stays free on the disk, besides what is announced
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
    if ((await roomOnDisk(folder, reserveBytes)) < sizeOf(owner)) throw new NoRoom('The disk is almost full')
  }

  return {
    /** @throws NoRoom */
    async open(owner: string): Promise<TemporaryFile> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await requireRoom(owner)
      const path = join(folder, randomUUID())
      const handle = await open(path, 'wx+', 0o600)
      // A file without a name ends with the process.
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
        async append(text) {
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
        read() {
          const stream = handle.createReadStream({ start: 0 })
          stream.once('close', forget)
          return stream
        },
        async close() {
          forget()
          await handle.close()
        },
      }
    },
  }
}
