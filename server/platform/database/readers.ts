import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { ReadTimeout } from './unavailable.ts'

export interface Reader {
  db: Kysely<Tables>
  isUsable(): boolean
  /** Aborted when the connection is lost, for drivers that do not report that to every query. */
  lost?: AbortSignal
  /** Ends the connection at once, even in the middle of a query. Resolves when it has stopped. */
  end(): Promise<void>
}

export interface ReadOptions {
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 5_000
const CLOSE_MS = 2_000
const IDLE_MS = 60_000

/** Readers are opened on demand, used again, and closed when they are idle. The callers limit their number. */
export function createReaders(open: () => Promise<Reader>) {
  /** Free readers with the timers that close them. The last one is used first. */
  const free: { reader: Reader; timer: NodeJS.Timeout }[] = []
  const all = new Set<Reader>()
  let closed = false
  const isClosed = (): boolean => closed

  async function acquire(): Promise<Reader> {
    for (let last = free.pop(); last; last = free.pop()) {
      clearTimeout(last.timer)
      if (last.reader.isUsable()) return last.reader
      all.delete(last.reader)
    }
    const opened = await open()
    all.add(opened)
    return opened
  }

  async function release(reader: Reader): Promise<void> {
    if (!reader.isUsable() || isClosed()) return end(reader)
    const entry = { reader, timer: setTimeout(endIdle, IDLE_MS).unref() }
    function endIdle(): void {
      free.splice(free.indexOf(entry), 1)
      void end(reader)
    }
    free.push(entry)
  }

  async function end(reader: Reader): Promise<void> {
    all.delete(reader)
    await reader.end()
  }

  return {
    /** @throws ReadTimeout when it took too long, the signal was aborted, or the readers were closed */
    async read<T>(
      work: (db: Kysely<Tables>) => Promise<T>,
      { timeoutMs = TIMEOUT_MS, signal }: ReadOptions = {},
    ): Promise<T> {
      signal?.throwIfAborted()
      if (isClosed()) throw new ReadTimeout()
      const reader = await acquire()
      const ended = Promise.withResolvers<never>()
      const cut = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
      const cutOff = (): void => void reader.end().finally(() => ended.reject(new ReadTimeout()))
      const fail = (): void => ended.reject(reader.lost?.reason)
      cut.addEventListener('abort', cutOff)
      reader.lost?.addEventListener('abort', fail)
      if (cut.aborted || isClosed()) cutOff()
      try {
        return await Promise.race([work(reader.db), ended.promise])
      } catch (error) {
        throw cut.aborted || isClosed() ? new ReadTimeout({ cause: error }) : error
      } finally {
        cut.removeEventListener('abort', cutOff)
        reader.lost?.removeEventListener('abort', fail)
        await release(reader)
      }
    },

    async close(): Promise<void> {
      closed = true
      for (const { timer } of free) clearTimeout(timer)
      const ended = Promise.allSettled([...all].map((reader) => reader.end()))
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}
