import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../platform/context.ts'
import { inBatches, type Job, MINUTE } from '../platform/jobs/job.ts'
import { findExpired, setExpiry } from './queries.ts'
import { KEPT_MS, removeFile } from './rules.ts'

const PAUSE_MS = 10

/** Removes files that no row has, some time later. */
export const fileJobs: readonly Job[] = [{ name: 'files', everyMs: MINUTE, run: removeFiles }]

async function removeFiles(context: Context, signal: AbortSignal): Promise<void> {
  const { store, now } = context
  await inBatches(context, signal, (tx) => setExpiry(tx, now() + KEPT_MS))
  for (;;) {
    const ids = await findExpired(store.db, now())
    for (const id of ids) {
      if (signal.aborted) return
      await removeFile(context, id)
    }
    if (ids.length === 0) return
    await sleep(PAUSE_MS)
  }
}
