import { setTimeout as sleep } from 'node:timers/promises'
import { fillSearchForms } from '../store/search-forms.ts'
import type { Store } from '../store/store.ts'
import { DomainError, serverBusy } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

/** List queries that run in parallel; others wait. */
const LISTS = 2
const MAX_WAITING = 64
/** Exports that run in parallel, one per account; others are rejected. */
const EXPORTS = 4
/** The time limit of an export, so that slow clients do not block others. */
const EXPORT_MS = 15 * 60_000
/** The pause between two batches of search forms, for other writes. */
const PAUSE_MS = 5
/** How long a search waits for the search forms of an older database. */
const FILL_MS = 5_000

export type LongReads = ReturnType<typeof createLongReads>

/** Limits the load by searches, sorts and exports. */
export function createLongReads({ store, now }: { store: Store; now: () => number }) {
  const queue = createFairQueue({ parallel: LISTS, maxWaiting: MAX_WAITING })
  const exporting = new Set<string>()
  let isFilled = false
  let filling: Promise<void> | undefined

  async function fillAll(): Promise<void> {
    while (await store.transaction(fillSearchForms)) await sleep(PAUSE_MS)
    isFilled = true
  }

  /** Creates missing search forms. Concurrent calls share the work. */
  async function fill(): Promise<void> {
    filling ??= fillAll().finally(() => {
      filling = undefined
    })
    return filling
  }

  /** @throws DomainError `busy` while many search forms are missing */
  async function requireFilled(): Promise<void> {
    if (isFilled) return
    const isLate = await Promise.race([fill(), sleep(FILL_MS, true, { ref: false })])
    if (isLate === true)
      throw new DomainError('busy', 'The search is being prepared, please try again', { retryAfter: 10 })
  }

  return {
    fill,
    load: queue.load,
    exports: (): number => exporting.size,

    /** @throws DomainError `busy` when too many wait */
    async list<T>(accountId: string, read: () => Promise<T>): Promise<T> {
      await requireFilled()
      return queue.run(accountId, read)
    },

    /**
     * The parts of an export, read on demand.
     * @throws DomainError `busy` when too many exports run, the account has one already, or the export takes too long
     */
    async *export<T>(accountId: string, read: () => AsyncGenerator<T>): AsyncGenerator<T> {
      if (exporting.size >= EXPORTS || exporting.has(accountId)) throw serverBusy()
      exporting.add(accountId)
      try {
        await requireFilled()
        const endsAt = now() + EXPORT_MS
        for await (const part of read()) {
          if (now() > endsAt) throw serverBusy()
          yield part
        }
      } finally {
        exporting.delete(accountId)
      }
    },
  }
}
