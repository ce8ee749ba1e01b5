import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../platform/context.ts'
import { deleteBatch } from '../platform/database/batches.ts'
import { isBefore } from '../platform/database/dialect.ts'
import { claimJob, releaseJob } from '../platform/jobs/queries.ts'
import { deleteOwnedOfDeletedOwners } from '../resources.ts'
import { deleteSessions, findExpiredSessions } from '../sessions/queries.ts'
import { sessionBounds } from '../sessions/rules.ts'
import type { Tx } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'

const MINUTE = 60_000
const DAY_MS = 86_400_000
/** The pause between two batches, for other work. */
const PAUSE_MS = 10
/** The most entries of the audit log that one run deletes, as they would be lost by a wrong clock. */
const MAX_AUDIT_BATCHES = 30
/** Sessions that one query finds, and that one statement deletes. */
const SESSIONS_AT_ONCE = 5_000
const DELETED_AT_ONCE = 100
/** After this time another server may run a job again. */
const LEASE_MS = 15 * MINUTE

interface Job {
  name: string
  everyMs: number
  run: () => Promise<void>
}

export type Housekeeping = ReturnType<typeof createHousekeeping>

/**
 * Deletes what has expired and what deleted accounts had, and makes missing search forms. Nothing depends on it, as
 * nobody sees either before. Each job runs on one server at a time, and independently of the others.
 */
export function createHousekeeping(context: Context) {
  const { store, reads, now } = context
  const { auditDays } = context.config
  let isRunning = false

  async function inBatches(work: (tx: Tx) => Promise<boolean>, atMost = Infinity): Promise<void> {
    for (let batch = 1; (await store.transaction(work)) && batch < atMost; batch += 1) await sleep(PAUSE_MS)
  }

  const deleteUntil = (table: keyof Tables, key: string, column: string, until: () => number, atMost?: number) => () =>
    inBatches((tx) => deleteBatch(tx, table, key, isBefore(column, until())), atMost)

  async function deleteExpiredSessions(): Promise<void> {
    const expired = await store.read((db) => findExpiredSessions(db, sessionBounds(context), SESSIONS_AT_ONCE))
    for (let from = 0; from < expired.length; from += DELETED_AT_ONCE) {
      await deleteSessions(store.db, expired.slice(from, from + DELETED_AT_ONCE))
      await sleep(PAUSE_MS)
    }
  }

  const jobs: Job[] = [
    { name: 'sessions', everyMs: 5 * MINUTE, run: deleteExpiredSessions },
    { name: 'tokens', everyMs: MINUTE, run: deleteUntil('one_time_tokens', 'id', 'expires_at', now) },
    { name: 'limits', everyMs: MINUTE, run: deleteUntil('limits', 'key', 'ends_at', now) },
    { name: 'familiar networks', everyMs: MINUTE, run: deleteUntil('familiar_blocks', 'block', 'ends_at', now) },
    // Servers of an earlier version may still add rows without search forms.
    { name: 'search forms', everyMs: MINUTE, run: reads.fill },
    { name: 'deleted accounts', everyMs: MINUTE, run: () => inBatches(deleteOwnedOfDeletedOwners) },
  ]
  if (auditDays !== undefined) {
    const before = (): number => now() - auditDays * DAY_MS - 1
    jobs.push({ name: 'audit', everyMs: MINUTE, run: deleteUntil('audit', 'id', 'at', before, MAX_AUDIT_BATCHES) })
  }

  async function runIfDue({ name, everyMs, run }: Job): Promise<void> {
    const offset = await store.clockOffset()
    const claim = { id: `housekeeping: ${name}`, leaseUntil: now() + offset + LEASE_MS }
    if (!(await claimJob(store.db, claim, now() + offset))) return
    try {
      await run()
    } finally {
      await releaseJob(store.db, claim, now() + offset + everyMs)
    }
  }

  return {
    /** Runs all jobs, whether or not they are due. */
    async runAll(): Promise<void> {
      for (const { run } of jobs) await run()
    },

    /** Runs the jobs that are due. @param onFailure is called for each that fails */
    async runDue(onFailure: (error: unknown, job: string) => void): Promise<void> {
      if (isRunning) return
      isRunning = true
      for (const job of jobs) await runIfDue(job).catch((error: unknown) => onFailure(error, job.name))
      isRunning = false
    },
  }
}
