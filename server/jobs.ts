import { KEPT_MS } from './api-tokens/rules.ts'
import { auditJobs } from './audit/jobs.ts'
import { fileJobs } from './files/jobs.ts'
import { deleteRowsOfDeletedOwners } from './links/deleted-owners.ts'
import { deleteExpired, inBatches, type Job, MINUTE } from './platform/jobs/job.ts'
import { deleteOldChanges } from './live/queries.ts'
import { sessionJobs } from './sessions/jobs.ts'

/** No job needs an exact time. */
export const jobs: readonly Job[] = [
  ...sessionJobs,
  ...auditJobs,
  ...fileJobs,
  deleteExpired('challenges', 'challenges', 'digest', 'expires_at'),
  deleteExpired('API tokens', 'api_tokens', 'id', 'expires_at', KEPT_MS),
  deleteExpired('limits', 'limits', 'key', 'ends_at'),
  deleteExpired('known networks', 'known_networks', 'network', 'ends_at'),
  { name: 'changes', everyMs: MINUTE, run: (context, signal) => inBatches(context, signal, deleteOldChanges) },
  {
    name: 'deleted accounts',
    everyMs: MINUTE,
    run: (context, signal) => inBatches(context, signal, (tx) => deleteRowsOfDeletedOwners(tx, context.now())),
  },
]
