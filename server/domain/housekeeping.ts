import { setTimeout as sleep } from 'node:timers/promises'
import { deleteOldEntries } from '../store/audit.ts'
import { deleteEndedFamiliarBlocks } from '../store/familiar-blocks.ts'
import { deleteExpiredInvitations } from '../store/invitations.ts'
import { deleteEndedLimits } from '../store/limits.ts'
import { deleteExpiredResetTokens } from '../store/reset-tokens.ts'
import { deleteOwnedOfDeletedOwners } from '../store/resources.ts'
import { deleteExpiredSessions } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Invitations } from './invitations.ts'
import type { Reads } from './reads.ts'
import type { Recovery } from './recovery.ts'
import type { Sessions } from './sessions.ts'

/** The pause between two batches, for other work. */
const PAUSE_MS = 10
const DAY_MS = 86_400_000
const ENTRIES_AT_ONCE = 200

/** Deletes what has expired, and what deleted accounts had, and makes missing search forms. Nothing depends on it: nobody sees either before that. */
export function createHousekeeping(options: {
  store: Store
  /** How long audit entries are kept; for ever if absent. */
  auditDays: number | undefined
  sessions: Sessions
  recovery: Recovery
  invitations: Invitations
  reads: Reads
  now: () => number
}) {
  const { store, auditDays, sessions, recovery, invitations, reads, now } = options
  return async function purgeExpired(): Promise<void> {
    await deleteExpiredSessions(store.db, sessions.bounds())
    await deleteExpiredResetTokens(store.db, recovery.validAfter())
    await deleteExpiredInvitations(store.db, invitations.validAfter())
    await deleteEndedLimits(store.db, now())
    await deleteEndedFamiliarBlocks(store.db, now())
    // Servers of an earlier version may still add rows without search forms.
    await reads.fill()
    while (await store.transaction(deleteOwnedOfDeletedOwners)) await sleep(PAUSE_MS)
    if (auditDays === undefined) return
    const before = now() - auditDays * DAY_MS
    while (await store.transaction((tx) => deleteOldEntries(tx, before, ENTRIES_AT_ONCE))) await sleep(PAUSE_MS)
  }
}
