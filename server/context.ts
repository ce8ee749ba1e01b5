import { type Config, localUrl } from './platform/config.ts'
import type { Context } from './platform/context.ts'
import { createBucketStorage } from './files/bucket.ts'
import { createFolderStorage } from './files/folder.ts'
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

/** How many searches, sorts and deep pages can always run at a time. On SQLite, each runs in a process of its own. */
const MIN_LONG_READS = 2

export interface ContextOptions {
  store: Store
  config: Config
  now: () => number
  publicUrl?: () => string
  hashCost?: HashCost | undefined
  files?: FileStorage | undefined
  stopping?: AbortSignal
  warn?: (message: string) => void
}

export function createContext(options: ContextOptions): Context {
  const { store, config, now, hashCost, warn = () => {} } = options
  const { bucket, folder } = config.files
  const { stopping = new AbortController().signal } = options
  const { publicUrl = () => config.publicUrl ?? localUrl(config.host, config.port) } = options
  // Long reads open PostgreSQL connections of their own, half as many as other requests have (`DATABASE_CONNECTIONS`).
  const parallel = Math.max(MIN_LONG_READS, isSqlite(store.db) ? 0 : Math.floor(config.databaseConnections / 2))
  return {
    config,
    store,
    now,
    publicUrl,
    hashing: createHashing(hashCost ? { cost: hashCost } : {}),
    encryption: createEncryptionAtRest(config, appSecrets, warn),
    provider: config.oidc && createIdentityProvider(config.oidc, { now, warn }),
    reads: createReads({ store, now, stopping, parallel }),
    files: options.files ?? (bucket ? createBucketStorage(bucket, warn) : createFolderStorage(folder)),
    stopping,
    bulks: createFairQueue(BULKS),
    blocks: new Map(),
    recorded: new Map(),
  }
}
