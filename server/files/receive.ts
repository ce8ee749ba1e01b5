import type { Readable } from 'node:stream'
import { HEAD_BYTES } from './types.ts'

/** Slower uploads are ended. Even a bad mobile network is faster. */
const MIN_BYTES_PER_SECOND = 8 * 1024
/** At the beginning a sender may be slow for this long, and later it may send nothing for this long. */
const GRACE_MS = 30_000
const CHECK_EVERY_MS = 5_000

/** Whether a sender is so slow that the upload is to be ended. @param silentMs how long nothing has come */
export function isTooSlow(elapsedMs: number, bytes: number, silentMs = 0): boolean {
  return silentMs >= GRACE_MS || bytes < ((elapsedMs - GRACE_MS) / 1000) * MIN_BYTES_PER_SECOND
}

/** Nobody waits for the answer: the client has left or was too slow, or the server stops. */
class Left extends Error {
  override name = 'AbortError'
}

/**
 * Yields the chunks of a body, and ends an upload that is too slow. The body is not destroyed when the caller stops
 * reading, because that would close the connection before the response is sent.
 * @param signal ends the upload
 */
async function* chunksOf(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const begun = performance.now()
  /** `Infinity` while the storage takes a chunk, because then the sender is not the slow part. */
  let waitingSince = begun
  let seen = 0
  const end = (): void => void body.destroy(new Left('The upload was ended'))
  const check = setInterval(() => {
    const now = performance.now()
    if (isTooSlow(now - begun, seen, now - waitingSince)) end()
  }, CHECK_EVERY_MS)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      seen += chunk.length
      waitingSince = Infinity
      yield chunk
      waitingSince = performance.now()
    }
  } catch (error) {
    throw new Left('The client has left', { cause: error })
  } finally {
    clearInterval(check)
    signal.removeEventListener('abort', end)
  }
}

/**
 * Checks that a body has exactly the announced size.
 * @returns the chunks, and `head`, which returns the first bytes that were read
 */
export function receive(
  body: Readable,
  size: number,
  signal: AbortSignal,
): { chunks: AsyncIterable<Buffer>; head: () => Buffer } {
  let head = Buffer.alloc(0)

  async function* chunks(): AsyncGenerator<Buffer> {
    let seen = 0
    for await (const chunk of chunksOf(body, signal)) {
      seen += chunk.length
      if (seen > size) break
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)])
      yield chunk
    }
    if (seen !== size) throw new Left('The body has another size than announced')
  }

  return { chunks: chunks(), head: () => head }
}

const MAX_DRAINED_BYTES = 256 * 1024 ** 2

/** Reads and discards the rest of a body, so that a client that is still sending gets the response. */
export async function drain(body: Readable, signal: AbortSignal): Promise<void> {
  try {
    let seen = 0
    for await (const chunk of chunksOf(body, signal)) {
      seen += chunk.length
      if (seen > MAX_DRAINED_BYTES) break
    }
  } catch {
    // The client has left.
  }
}
