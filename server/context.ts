import { type Config, localUrl } from './platform/config.ts'
import type { Context } from './platform/context.ts'
import type { Store } from './platform/database/store.ts'
import { createHashing, type HashCost } from './platform/hashing.ts'
import { createFairQueue } from './platform/lib/fair-queue.ts'
import { createReads } from './platform/reads.ts'
import { createSealing } from './platform/sealing.ts'
import { resources } from './resources.ts'
import { searchedFields } from './users/queries.ts'

/** Changes of many rows: in all, and of one account. */
const BULKS = { parallel: 2, perGroup: 1, maxWaiting: 64 }

export interface ContextOptions {
  store: Store
  config: Config
  now: () => number
  /** The default is the configured URL. */
  publicUrl?: () => string
  /** Reduced in tests that are not about hashing. */
  hashCost?: HashCost | undefined
  /** Receives what an operator should know. */
  warn?: (message: string) => void
}

export function createContext(options: ContextOptions): Context {
  const { store, config, now, hashCost, warn = () => {} } = options
  const { publicUrl = () => config.publicUrl ?? localUrl(config.host, config.port) } = options
  const searched = [{ table: 'users', searched: searchedFields }, ...resources]
  return {
    config,
    store,
    now,
    publicUrl,
    hashing: createHashing(hashCost ? { cost: hashCost } : {}),
    sealing: createSealing(config, warn),
    reads: createReads({ store, now, searched }),
    bulks: createFairQueue(BULKS),
    recorded: new Map(),
  }
}
