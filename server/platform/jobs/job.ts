import { setTimeout as sleep } from 'node:timers/promises'
import type { Tables } from '../../tables.ts'
import type { Context } from '../context.ts'
import { deleteBatch } from '../database/batches.ts'
import { isBefore } from '../database/dialect.ts'
import type { Tx } from '../database/store.ts'
import { claimJob, releaseJob } from './queries.ts'

export const MINUTE = 60_000
/** After this time another server may run a job again. */
const LEASE_MS = 15 * MINUTE
/** The pause between two batches, for other work. */
const PAUSE_MS = 10

export interface Job {
  name: string
  everyMs: number
  run: (context: Context, signal: AbortSignal) => Promise<void>
  /** Whether every server runs it. By default, only one at a time does. */
  onEachServer?: boolean
}

export async function runIfDue(context: Context, job: Job, signal: AbortSignal): Promise<void> {
  const { store, now } = context
  if (job.onEachServer) return job.run(context, signal)
  const offset = await store.clockOffset()
  const claim = { id: job.name, leaseUntil: now() + offset + LEASE_MS }
  if (!(await claimJob(store.db, claim, now() + offset, job.everyMs))) return
  try {
    await job.run(context, signal)
  } finally {
    await releaseJob(store.db, claim, now() + offset + job.everyMs)
  }
}

/** Repeats a transaction with pauses until `work` returns false or the server stops. */
export async function inBatches(
  { store }: Context,
  signal: AbortSignal,
  work: (tx: Tx) => Promise<boolean>,
  atMost = Infinity,
): Promise<void> {
  for (let batch = 1; !signal.aborted && (await store.transaction(work)) && batch < atMost; batch += 1)
    await sleep(PAUSE_MS)
}

/** A job that deletes rows whose time in `column` has passed. @param keptMs how long they are kept after that time */
export function deleteExpired(name: string, table: keyof Tables, key: string, column: string, keptMs = 0): Job {
  return {
    name,
    everyMs: MINUTE,
    run: (context, signal) =>
      inBatches(context, signal, (tx) => deleteBatch(tx, table, key, isBefore(column, context.now() - keptMs))),
  }
}
