import type { Readable } from 'node:stream'
import { HEAD_BYTES } from './types.ts'

/** A bad mobile network is faster. */
const MIN_BYTES_PER_SECOND = 8 * 1024
/** For the beginning, and for each silence. */
const FIRST_MS = 30_000
const CHECK_EVERY_MS = 5_000

/** Whether a sender is so slow that it only keeps a connection. @param silentMs how long nothing has come */
export function isTooSlow(elapsedMs: number, bytes: number, silentMs = 0): boolean {
  return silentMs >= FIRST_MS || bytes < ((elapsedMs - FIRST_MS) / 1000) * MIN_BYTES_PER_SECOND
}

/** Nobody waits for the answer: the client has left or was too slow, or the server stops. */
class Left extends Error {
  override name = 'AbortError'
}

/**
 * The chunks of a body, whose sender must keep up. The body is not destroyed when its reader stops, as the response
 * would be lost with it.
 * @param signal ends it
 */
async function* chunksOf(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const begun = performance.now()
  /** Set while it waits for the sender, not for the storage. */
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
 * The chunks of a body that must have exactly this size.
 * @returns `head` has the first bytes of what was read
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

/** Reads and forgets the rest, so that the client gets the response. */
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
