import { setTimeout as sleep } from 'node:timers/promises'
import { deleteEndedFamiliarBlocks } from '../store/familiar-blocks.ts'
import { deleteItemsOfDeletedOwners } from '../store/items.ts'
import { deleteEndedLimits } from '../store/limits.ts'
import { deleteExpiredResetTokens } from '../store/reset-tokens.ts'
import { deleteExpiredSessions } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { LongReads } from './long-reads.ts'
import type { Recovery } from './recovery.ts'
import type { Sessions } from './sessions.ts'

/** Between two batches, in which others read and write. */
const PAUSE_MS = 10

/** Deletes what has expired, and the items of deleted accounts, and makes missing search forms. Nothing depends on it: nobody sees either before that. */
export function createHousekeeping(options: {
  store: Store
  sessions: Sessions
  recovery: Recovery
  longReads: LongReads
  now: () => number
}) {
  const { store, sessions, recovery, longReads, now } = options
  return async function purgeExpired(): Promise<void> {
    await deleteExpiredSessions(store.db, sessions.bounds())
    await deleteExpiredResetTokens(store.db, recovery.validAfter())
    await deleteEndedLimits(store.db, now())
    await deleteEndedFamiliarBlocks(store.db, now())
    // Also of rows that a server of an earlier version has added.
    await longReads.fill()
    while (await store.transaction(deleteItemsOfDeletedOwners)) await sleep(PAUSE_MS)
  }
}
