import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../platform/context.ts'
import { type Job, MINUTE } from '../platform/jobs/job.ts'
import { deleteSessions, findExpiredSessions } from './queries.ts'
import { validityAt } from './checks.ts'

const FOUND_AT_ONCE = 5_000
const DELETED_AT_ONCE = 100
const PAUSE_MS = 10

async function deleteExpiredSessions(context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context
  for (let isDone = false; !isDone;) {
    const expired = await store.read((db) => findExpiredSessions(db, validityAt(context), FOUND_AT_ONCE), { signal })
    isDone = expired.length < FOUND_AT_ONCE
    for (let from = 0; from < expired.length; from += DELETED_AT_ONCE) {
      if (signal.aborted) return
      await deleteSessions(store.db, expired.slice(from, from + DELETED_AT_ONCE))
      await sleep(PAUSE_MS)
    }
  }
}

export const sessionJobs: Job[] = [{ name: 'sessions', everyMs: 5 * MINUTE, run: deleteExpiredSessions }]
