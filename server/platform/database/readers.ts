import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { ReadCut } from './unavailable.ts'

/** A connection for reads. */
export interface Reader {
  db: Kysely<Tables>
  /** False after it has ended or failed. */
  isUsable(): boolean
  /** Aborted when the connection is lost, if the driver does not report that to every query. */
  lost?: AbortSignal
  /** Ends the connection at once, also in the middle of a query. Resolves when it works no more. */
  end(): Promise<void>
}

export interface ReadOptions {
  /** The time limit. */
  timeoutMs?: number | undefined
  /** Ends the read. */
  signal?: AbortSignal | undefined
}

/** The time limit of a read that sets none. */
const TIMEOUT_MS = 5_000
/** How long the store waits for readers when it closes. */
const CLOSE_MS = 2_000

/** Readers are opened on demand and used again. The callers limit their number. */
export function createReaders(open: () => Promise<Reader>) {
  const free: Reader[] = []
  const all = new Set<Reader>()
  let isClosed = false

  async function acquire(): Promise<Reader> {
    const known = free.pop()
    if (known?.isUsable()) return known
    if (known) all.delete(known)
    const opened = await open()
    all.add(opened)
    return opened
  }

  async function release(reader: Reader): Promise<void> {
    if (reader.isUsable()) return void free.push(reader)
    all.delete(reader)
    await reader.end()
  }

  return {
    /**
     * Runs queries on one connection, and settles when it works no more for them.
     * @throws ReadCut when it took too long, or the signal was aborted
     */
    async read<T>(
      work: (db: Kysely<Tables>) => Promise<T>,
      { timeoutMs = TIMEOUT_MS, signal }: ReadOptions = {},
    ): Promise<T> {
      signal?.throwIfAborted()
      if (isClosed) throw new Error('The database connection is not open')
      const reader = await acquire()
      const ended = Promise.withResolvers<never>()
      const cut = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
      const end = (): void => void reader.end().finally(() => ended.reject(new ReadCut()))
      const fail = (): void => ended.reject(reader.lost?.reason)
      cut.addEventListener('abort', end)
      reader.lost?.addEventListener('abort', fail)
      if (cut.aborted) end()
      try {
        return await Promise.race([work(reader.db), ended.promise])
      } catch (error) {
        throw cut.aborted ? new ReadCut({ cause: error }) : error
      } finally {
        cut.removeEventListener('abort', end)
        reader.lost?.removeEventListener('abort', fail)
        await release(reader)
      }
    },

    async close(): Promise<void> {
      isClosed = true
      const ended = Promise.allSettled([...all].map((reader) => reader.end()))
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}
