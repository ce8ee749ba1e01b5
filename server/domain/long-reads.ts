import { setTimeout as sleep } from 'node:timers/promises'
import { fillSearchForms } from '../store/search-forms.ts'
import type { Store } from '../store/store.ts'
import { DomainError, serverBusy } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

/** Of lists at the same time; others wait. */
const LISTS = 2
const MAX_WAITING = 64
/** Of exports at the same time, one of each account; others are refused. */
const EXPORTS = 4
/** For the whole of an export, so that a client that hardly reads does not keep its place. */
const EXPORT_MS = 15 * 60_000
/** Between two batches of search forms, in which others write. */
const PAUSE_MS = 5
/** For so long a search waits for the search forms of a database that was there before it. */
const FILL_MS = 5_000

export type LongReads = ReturnType<typeof createLongReads>

/** Bounds what searches, sorts and exports cost others. */
export function createLongReads({ store, now }: { store: Store; now: () => number }) {
  const queue = createFairQueue({ parallel: LISTS, maxWaiting: MAX_WAITING })
  const exporting = new Set<string>()
  let isFilled = false
  let filling: Promise<void> | undefined

  async function fillAll(): Promise<void> {
    while (await store.transaction(fillSearchForms)) await sleep(PAUSE_MS)
    isFilled = true
  }

  /** Makes the search forms that are missing. Whoever comes meanwhile waits for the same. */
  async function fill(): Promise<void> {
    filling ??= fillAll().finally(() => {
      filling = undefined
    })
    return filling
  }

  /** @throws DomainError `busy` while there are many search forms to make */
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
     * The parts of an export, as they are asked for.
     * @throws DomainError `busy` when as many run as may, or the account has one; and in the middle, when it takes too long
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
