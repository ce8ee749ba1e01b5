import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../platform/context.ts'
import { inBatches, type Job, MINUTE } from '../platform/jobs/job.ts'
import { findExpired, setExpiry } from './queries.ts'
import { KEPT_MS, removeFile } from './rules.ts'

const PAUSE_MS = 10
/** After this many failures, the storage is probably unavailable. The next run tries again. */
const MAX_FAILURES = 5

export const fileJobs: readonly Job[] = [{ name: 'files', everyMs: MINUTE, run: removeFiles }]

async function removeFiles(context: Context, signal: AbortSignal): Promise<void> {
  const { store, now } = context
  await inBatches(context, signal, (tx) => setExpiry(tx, now() + KEPT_MS))
  const failed: string[] = []
  let failure: unknown
  for (;;) {
    const ids = await findExpired(store.db, now(), failed)
    for (const id of ids) {
      if (signal.aborted) return
      try {
        await removeFile(context, id)
      } catch (error) {
        failure = error
        if (failed.push(id) >= MAX_FAILURES) throw error
      }
    }
    if (ids.length === 0) break
    await sleep(PAUSE_MS)
  }
  if (failed.length > 0) throw failure
}
