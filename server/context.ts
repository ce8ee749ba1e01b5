import { type Config, localUrl } from './platform/config.ts'
import type { Context } from './platform/context.ts'
import { createStorage } from './files/storage.ts'
import { isSqlite } from './platform/database/dialect.ts'
import type { Store } from './platform/database/store.ts'
import { createEncryptionAtRest } from './platform/encryption-at-rest.ts'
import type { FileStorage } from './platform/file-storage.ts'
import { createHashing, type HashCost } from './platform/hashing.ts'
import { createIdentityProvider } from './platform/identity-provider.ts'
import { createFairQueue } from './platform/lib/fair-queue.ts'
import { BULKS } from './platform/queues.ts'
import { createReads } from './platform/reads.ts'
import { appSecrets } from './sign-in/app-secrets.ts'

/** How many searches, sorts and deep pages can always run at a time. On SQLite, each is a process. */
const MIN_LONG_READS = 2

export interface ContextOptions {
  store: Store
  config: Config
  now: () => number
  /** The default is the configured URL. */
  publicUrl?: () => string
  /** Reduced in tests that are not about hashing. */
  hashCost?: HashCost | undefined
  /** The default is the configured storage. */
  files?: FileStorage | undefined
  /** Aborted when long work has to end. */
  stopping?: AbortSignal
  /** Receives what an operator should know. */
  warn?: (message: string) => void
}

export function createContext(options: ContextOptions): Context {
  const { store, config, now, hashCost, warn = () => {} } = options
  const { stopping = new AbortController().signal } = options
  const { publicUrl = () => config.publicUrl ?? localUrl(config.host, config.port) } = options
  return {
    config,
    store,
    now,
    publicUrl,
    hashing: createHashing(hashCost ? { cost: hashCost } : {}),
    encryption: createEncryptionAtRest(config, appSecrets, warn),
    provider: config.oidc && createIdentityProvider(config.oidc, { now, warn }),
    reads: createReads({ store, now, stopping, parallel: longReads(options) }),
    files: options.files ?? createStorage(config, warn),
    stopping,
    bulks: createFairQueue(BULKS),
    blocks: new Map(),
    recorded: new Map(),
  }
}

/** On PostgreSQL, half as many as connections of other requests. */
function longReads({ store, config }: Pick<ContextOptions, 'store' | 'config'>): number {
  return isSqlite(store.db) ? MIN_LONG_READS : Math.max(MIN_LONG_READS, Math.floor(config.databaseConnections / 2))
}
