import { inBatches, type Job, MINUTE } from '../platform/jobs/job.ts'
import { deleteOldChanges } from './queries.ts'

export const liveJobs: Job[] = [
  { name: 'changes', everyMs: MINUTE, run: (context, signal) => inBatches(context, signal, deleteOldChanges) },
]
