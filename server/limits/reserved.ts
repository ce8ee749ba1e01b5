import { setTimeout as sleep } from 'node:timers/promises'
import type { Block, Context } from '../platform/context.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { type Counter, insertUses } from './queries.ts'
import { endOf, tooMany, toCounter } from './rules.ts'
import type { LimitName, Subject } from './table.ts'

// A server counts frequent requests in its memory. It takes uses from the database in blocks: most requests do not
// write, and several servers share a limit.

/** Divides the bound of each limit that is counted in blocks. */
const BLOCK = 50
/** How long a request waits for a block. */
const PATIENCE_MS = 2_000
/** While the database cannot be written, a server allows a block in this time. */
const UNSHARED_MS = 5_000

/**
 * Counts a use. Unused uses of a block end with the window, so several servers may allow less than the bound, never
 * more.
 * @throws DomainError `too-many`
 */
export async function consumeReserved(context: Context, name: LimitName, subject: Subject): Promise<void> {
  const { now, blocks } = context
  const counter = toCounter(context, name, subject)
  for (;;) {
    const block = blocks.get(counter.key)
    if (!block || !isCurrent(block, counter, now())) {
      for (const [key, old] of blocks) if (old.endsAt <= now()) blocks.delete(key)
      blocks.set(counter.key, { left: 0, endsAt: now() + counter.window })
    } else if (block.left > 0) {
      block.left -= 1
      return
    } else if (block.isLast) {
      throw tooMany(name, block.endsAt - now())
    } else {
      block.next ??= take(context, counter, block)
      await block.next
    }
  }
}

/** A block may have been made by a wrong clock. */
function isCurrent({ endsAt }: Block, { window }: Counter, now: number): boolean {
  return endsAt > now && endsAt <= now + window
}

async function take(context: Context, counter: Counter, block: Block): Promise<void> {
  const taking = fill(context, counter, block).then(() => true)
  try {
    const isTaken = await Promise.race([taking, sleep(PATIENCE_MS, false, { ref: false })])
    if (!isTaken) Object.assign(block, { left: BLOCK, isUnshared: true, endsAt: context.now() + UNSHARED_MS })
  } finally {
    // The next request asks again, also after an error.
    delete block.next
  }
}

async function fill({ store, now }: Context, counter: Counter, block: Block): Promise<void> {
  try {
    const [use] = await insertUses(store.db, [{ ...counter, number: BLOCK }], now())
    // `isUnshared` uses count as part of this block.
    if (use)
      Object.assign(block, { left: block.isUnshared ? block.left : BLOCK, endsAt: use.startedAt + counter.window })
    else Object.assign(block, { left: 0, isLast: true, endsAt: await endOf({ now }, store.db, counter) })
    delete block.isUnshared
  } catch (error) {
    if (!isUnavailable(error)) throw error
    Object.assign(block, { left: BLOCK, endsAt: now() + UNSHARED_MS })
  }
}
