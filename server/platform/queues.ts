import type { QueueOptions } from './lib/fair-queue.ts'

// The queues of accounts: how many requests run in all and for one account, and how many may wait. `contractRoutes`
// enters the queues of lists and changes for each operation, rules enter the others.

/** A list keeps its place until the client has read it, because a page of long texts takes megabytes of memory. */
export const LISTS = { parallel: Infinity, perGroup: 4, maxWaiting: 128 } satisfies QueueOptions

/** An account must not take all connections of the database. */
export const CHANGES = { parallel: Infinity, perGroup: 4, maxWaiting: 1_024 } satisfies QueueOptions

export const BULKS = { parallel: 2, perGroup: 1, maxWaiting: 64 } satisfies QueueOptions

/** The queue of searches, sorts and deep pages. How many run at a time depends on the database. */
export const LONG_READS = { perGroup: 1, maxWaiting: 64 } satisfies Partial<QueueOptions>

export const EXPORTS = { parallel: 2, perGroup: 1, maxWaiting: 32, maxWaitMs: 10_000 } satisfies QueueOptions
