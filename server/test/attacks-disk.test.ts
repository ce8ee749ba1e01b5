import fs, { readdir } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFolderStorage } from '../files/folder.ts'
import { receive } from '../files/receive.ts'
import { createTemporaryFiles, NoRoom } from '../platform/lib/temporary-files.ts'
import { newFolder } from './new-folder.ts'

const MB = 1024 ** 2
const disk = { freeBytes: 0 }

beforeEach(() => {
  const statfs = vi.spyOn(fs, 'statfs').mockImplementation(async () => ({ bavail: disk.freeBytes, bsize: 1 }) as never)
  syncBuiltinESMExports()
  onTestFinished(() => {
    statfs.mockRestore()
    syncBuiltinESMExports()
  })
})

const RESERVE = 128 * MB
const noSpace = { kind: 'no-space' }

/** Content of an upload, which a test sends in parts. */
function createContent() {
  const body = new PassThrough({ highWaterMark: 64 * MB })
  return {
    content: body as AsyncIterable<Buffer>,
    send: (bytes: number) => body.write(Buffer.alloc(bytes)),
    end: () => body.end(),
  }
}

/** Waits until the first upload has a file. */
async function firstUploadBegun(folder: string): Promise<void> {
  await expect.poll(() => readdir(folder).catch(() => [])).toEqual(['first'])
}

async function* whole(bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.alloc(bytes)
}

describe('the reserve of the disk', () => {
  test('is kept by uploads that are under way: what they have announced is taken', async () => {
    const folder = join(newFolder(), 'files')
    const storage = createFolderStorage(folder)
    disk.freeBytes = RESERVE + 30 * MB
    const first = createContent()
    const underWay = storage.put('first', first.content, 20 * MB)
    await firstUploadBegun(folder)
    await expect(storage.put('second', whole(20 * MB), 20 * MB)).rejects.toMatchObject(noSpace)
    await storage.put('small', whole(MB), MB)

    // The written bytes are no longer reserved, but occupied.
    first.send(15 * MB)
    disk.freeBytes -= 15 * MB
    await vi.waitFor(() => storage.put('third', whole(9 * MB), 9 * MB), 20_000)
    await expect(storage.put('fourth', whole(11 * MB), 11 * MB)).rejects.toMatchObject(noSpace)

    first.end()
    await underWay
    await storage.put('fifth', whole(15 * MB), 15 * MB)
  })

  test('is kept by uploads that begin at the same time', async () => {
    const storage = createFolderStorage(join(newFolder(), 'files'))
    disk.freeBytes = RESERVE + 30 * MB
    const contents = Array.from({ length: 5 }, createContent)
    let refused = 0
    const uploads = contents.map(({ content }, index) =>
      storage.put(`${index}`, content, 20 * MB).catch(() => (refused += 1)),
    )
    await expect.poll(() => refused).toBeGreaterThanOrEqual(4)
    for (const { end } of contents) end()
    await Promise.all(uploads)
    await storage.put('later', whole(30 * MB), 30 * MB)
  })

  test('is kept by exports, for which uploads leave no room', async () => {
    const folder = newFolder()
    const storage = createFolderStorage(join(folder, 'files'))
    const exports = createTemporaryFiles(join(folder, 'exports'), { maxBytes: 1_000 * MB })
    disk.freeBytes = RESERVE + 30 * MB
    const first = createContent()
    const underWay = storage.put('first', first.content, 30 * MB)
    await firstUploadBegun(join(folder, 'files'))
    const file = await exports.open('ada')
    onTestFinished(() => file.close())
    await expect(file.append('x'.repeat(17 * MB))).rejects.toThrow(NoRoom)
    first.end()
    await underWay
    await file.append('x')
  })
})

describe('a sender of a file', () => {
  /** Receives a file of a size that the test writes, while time stands still. */
  function receiveFile(bytes: number) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const body = new PassThrough({ highWaterMark: 64 * MB })
    return { body, chunks: receive(body, bytes, new AbortController().signal).chunks }
  }

  test('that falls silent is cut off after 30 seconds, however much has come', async () => {
    const { body, chunks } = receiveFile(25 * MB)
    const came: number[] = []
    const taking = (async () => {
      for await (const chunk of chunks) came.push(chunk.length)
    })().catch((error: unknown) => error)
    for (const bytes of [24 * MB, 1]) {
      body.write(Buffer.alloc(bytes))
      await vi.waitUntil(() => came.at(-1) === bytes)
      await nextIteration()
      vi.advanceTimersByTime(29_000)
      await nextIteration()
      expect(body.destroyed).toBe(false)
    }
    // The server checks the progress every 5 seconds.
    vi.advanceTimersByTime(6_000)
    expect(await taking).toMatchObject({ name: 'AbortError' })
  })

  test('is not cut off while the storage is slow', async () => {
    const { body, chunks } = receiveFile(2 * MB)
    body.write(Buffer.alloc(MB))
    const first = await chunks[Symbol.asyncIterator]().next()
    vi.advanceTimersByTime(100_000)
    await nextIteration()
    expect([first.done, body.destroyed]).toEqual([false, false])
  })
})
