import { mkdir, open, statfs, unlink } from 'node:fs/promises'
import type { ReadStream } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'

/** How much is written before the free space is looked at again. */
const CHECK_BYTES = 16 * 1024 * 1024

/** The disk, or the limit of all temporary files together, has no room for more. */
export class NoRoom extends Error {
  override name = 'NoRoom'
}

export interface TemporaryFile {
  size(): number
  /** @throws NoRoom */
  append(text: string): Promise<void>
  /** Reads the whole file and then closes it. */
  read(): ReadStream
  close(): Promise<void>
}

/**
 * Files without a name, which only this process can read, and which end with it.
 * @param options.maxBytes of all files together
 * @param options.reserveBytes what stays free on the disk
 */
export function createTemporaryFiles(
  folder: string,
  { maxBytes, reserveBytes }: { maxBytes: number; reserveBytes: number },
) {
  let total = 0

  async function requireRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < reserveBytes) throw new NoRoom('The disk is almost full')
  }

  return {
    /** @throws NoRoom */
    async open(): Promise<TemporaryFile> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await requireRoom()
      const path = join(folder, randomUUID())
      const handle = await open(path, 'wx+', 0o600)
      // Removed whatever happens.
      await unlink(path)
      let size = 0
      let checkedAt = 0
      let isClosed = false
      const forget = (): void => {
        if (!isClosed) total -= size
        isClosed = true
      }
      return {
        size: () => size,
        async append(text) {
          const bytes = Buffer.from(text)
          if (total + bytes.length > maxBytes) throw new NoRoom('The temporary files are too large')
          total += bytes.length
          size += bytes.length
          if (size - checkedAt > CHECK_BYTES) {
            await requireRoom()
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
