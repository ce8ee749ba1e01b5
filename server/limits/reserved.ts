import { setTimeout as sleep } from 'node:timers/promises'
import type { Block, Context } from '../platform/context.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { type Counter, insertUses } from './queries.ts'
import { endOf, tooManyRequests, toCounter } from './rules.ts'
import type { LimitName, Subject } from './table.ts'

// Frequent requests are counted in memory. Uses are taken from the database in blocks, so that few requests write.

/** How many uses a server takes from the database at once. The `max` of such a limit must be a multiple of it. */
const BLOCK = 50
const PATIENCE_MS = 2_000
/** While the database cannot be written, each server allows `BLOCK` uses in this time. */
const UNSHARED_MS = 5_000

/** Several servers may allow less than `max` together, because each takes own blocks. @throws DomainError `too-many` */
export async function consumeReserved(context: Context, name: LimitName, subject: Subject): Promise<void> {
  const { now, blocks } = context
  const counter = toCounter(context, name, subject)
  for (;;) {
    const block = blocks.get(counter.key)
    // A block that ends later than a window lasts was made by a wrong clock.
    if (!block || block.endsAt <= now() || block.endsAt > now() + counter.window) {
      for (const [key, old] of blocks) if (old.endsAt <= now()) blocks.delete(key)
      blocks.set(counter.key, { left: 0, endsAt: now() + counter.window })
    } else if (block.left > 0) {
      block.left -= 1
      return
    } else if (block.isLast) {
      throw tooManyRequests(name, block.endsAt - now())
    } else {
      block.next ??= take(context, counter, block)
      await block.next
    }
  }
}

async function take(context: Context, counter: Counter, block: Block): Promise<void> {
  const taking = fill(context, counter, block).then(() => true)
  try {
    const isTaken = await Promise.race([taking, sleep(PATIENCE_MS, false, { ref: false })])
    if (!isTaken) Object.assign(block, { left: BLOCK, isUnshared: true, endsAt: context.now() + UNSHARED_MS })
  } finally {
    // The next request that finds no use left asks the database again, also after an error.
    delete block.next
  }
}

async function fill({ store, now }: Context, counter: Counter, block: Block): Promise<void> {
  try {
    const [use] = await insertUses(store.db, [{ ...counter, number: BLOCK }], now())
    // Uses that were allowed while the database did not answer (`isUnshared`) count as part of this block.
    if (use)
      Object.assign(block, { left: block.isUnshared ? block.left : BLOCK, endsAt: use.startedAt + counter.window })
    else Object.assign(block, { left: 0, isLast: true, endsAt: await endOf({ now }, store.db, counter) })
    delete block.isUnshared
  } catch (error) {
    if (!isUnavailable(error)) throw error
    Object.assign(block, { left: BLOCK, endsAt: now() + UNSHARED_MS })
  }
}
