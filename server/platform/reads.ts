import type { Db, Store } from './database/store.ts'
import { ReadTimeout } from './database/unavailable.ts'
import { DEFAULT_SORT, type ListRequest, type Page } from './database/lists.ts'
import { DomainError, serverBusy } from './errors.ts'
import { createFairQueue } from './lib/fair-queue.ts'
import { EXPORTS, LONG_READS } from './queues.ts'

const LONG_MS = 5_000
/** After a read that took too long, its account waits this time before another one of the same kind. */
const COOLDOWN_MS = 3 * LONG_MS
const EXPORT_MS = 10 * 60_000
/** Pages after this many rows take long enough to delay other requests. */
const MAX_SHORT_SKIP = 1_000

export type LongRead = 'search' | 'list' | 'audit log' | 'overview'

export type Reads = ReturnType<typeof createReads>

interface ReadsOptions {
  store: Store
  now: () => number
  parallel: number
  stopping: AbortSignal
  longMs?: number
}

/** Limits the load by searches, sorts and exports. Waiting accounts take turns. */
export function createReads({ store, now, parallel, stopping, longMs = LONG_MS }: ReadsOptions) {
  const long = createFairQueue({ ...LONG_READS, parallel })
  const exports = createFairQueue(EXPORTS)
  stopping.addEventListener('abort', () => void store.endReads())
  /** The time from which an account may read a kind again, by account and kind. */
  const cooldowns = new Map<string, number>()

  function requireNoCooldown(key: string, kind: LongRead): void {
    for (const [one, until] of cooldowns) if (until <= now() || until > now() + COOLDOWN_MS) cooldowns.delete(one)
    if (cooldowns.has(key)) throw tookTooLong(kind)
  }

  function requireServing(): void {
    if (stopping.aborted) throw serverBusy()
  }

  /** @throws DomainError `busy` when too many wait, or the query took too long */
  async function run<T>(accountId: string, kind: LongRead, work: (db: Db) => Promise<T>, signal?: AbortSignal) {
    const key = `${accountId} ${kind}`
    return long.run(
      accountId,
      async () => {
        requireServing()
        requireNoCooldown(key, kind)
        try {
          return await store.read(work, { timeoutMs: longMs })
        } catch (error) {
          if (!(error instanceof ReadTimeout)) throw error
          requireServing()
          cooldowns.set(key, now() + COOLDOWN_MS)
          throw tookTooLong(kind)
        }
      },
      signal,
    )
  }

  return {
    load: long.load,
    exports: (): number => exports.load().running,
    run,

    async page<T>(
      accountId: string,
      [given, page]: [ListRequest<string>, Page],
      work: (db: Db) => Promise<T>,
      signal: AbortSignal | undefined,
    ): Promise<T> {
      return isShortRead(given, page) ? work(store.db) : run(accountId, readKind(given), work, signal)
    },

    /** @throws DomainError `busy` when there is no place in time, or the export took too long */
    async export<T>(accountId: string, work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T> {
      return exports.run(
        accountId,
        async () => {
          requireServing()
          try {
            return await store.read(work, { timeoutMs: EXPORT_MS, signal })
          } catch (error) {
            throw error instanceof ReadTimeout ? serverBusy() : error
          }
        },
        signal,
      )
    },
  }
}

export function readKind({ q = '' }: { q?: string | undefined }): LongRead {
  return q.trim() === '' ? 'list' : 'search'
}

/** Whether a page is one of the first of the unfiltered list in its default order. */
function isShortRead({ q = '', sort = DEFAULT_SORT, ...filters }: ListRequest<string>, { skip }: Page): boolean {
  const isFiltered = q.trim() !== '' || Object.values(filters).some((value) => value !== undefined)
  return !isFiltered && sort === DEFAULT_SORT && skip <= MAX_SHORT_SKIP
}

function tookTooLong(kind: LongRead): DomainError {
  const advice = kind === 'search' ? 'try a longer word' : 'try again later'
  return new DomainError('busy', `The ${kind} took too long, please ${advice}`, { retryAfter: COOLDOWN_MS / 1000 })
}
