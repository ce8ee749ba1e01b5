import type { Context } from '../platform/context.ts'
import { deleteBatch } from '../platform/database/batches.ts'
import { isBefore } from '../platform/database/dialect.ts'
import { inBatches, type Job, MINUTE } from '../platform/jobs/job.ts'

const DAY_MS = 86_400_000
/** A run deletes at most this many batches, so that a wrong clock does not delete the whole log. */
const MAX_BATCHES = 30

async function deleteOldEntries(context: Context, signal: AbortSignal): Promise<void> {
  const { auditDays } = context.config
  if (auditDays === undefined) return
  const until = context.now() - auditDays * DAY_MS - 1
  await inBatches(context, signal, (tx) => deleteBatch(tx, 'audit', 'id', isBefore('at', until)), MAX_BATCHES)
}

export const auditJobs: Job[] = [{ name: 'audit', everyMs: MINUTE, run: deleteOldEntries }]
