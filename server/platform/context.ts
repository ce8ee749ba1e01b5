import type { Config } from './config.ts'
import type { Db, Store, Tx } from './database/store.ts'
import type { EncryptionAtRest } from './encryption-at-rest.ts'
import type { FileStorage } from './file-storage.ts'
import type { Hashing } from './hashing.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { FairQueue } from './lib/fair-queue.ts'
import type { Reads } from './reads.ts'

export interface Services {
  config: Config
  /** The clock, in milliseconds since 1970. Tests replace it. */
  now: () => number
  /** The URL of the application for its users, without a slash at the end. */
  publicUrl: () => string
  hashing: Hashing
  encryption: EncryptionAtRest
  /** The provider of company accounts, if one is configured. */
  provider: IdentityProvider | undefined
  reads: Reads
  files: FileStorage
  /** Aborted when the server stops, and long work has to end. */
  stopping: AbortSignal
  /** Changes of many rows wait here for their turn. */
  bulks: FairQueue
  /** Uses of limits that this server has taken in advance, by key: server/limits/reserved.ts. */
  blocks: Map<string, Block>
  /** The number of audit entries that this server wrote, by action and result. */
  recorded: Map<string, { action: string; result: string; count: number }>
}

/** What the rules of all capabilities use. Each server has one; server/context.ts creates it. */
export interface Context extends Services {
  store: Store
}

/** The context in a transaction. It has no store, as other queries would wait for the end of the transaction. */
export interface TxContext extends Services {
  tx: Tx
}

export type AnyContext = Context | TxContext

export function dbOf(context: AnyContext): Db {
  return 'tx' in context ? context.tx : context.store.db
}

/** Uses of a limit that a server can give without asking the database, until a time. */
export interface Block {
  left: number
  endsAt: number
  /** Set when the database has no more. */
  isLast?: boolean
  /** Set when it was given before the database answered. */
  isUnshared?: boolean
  /** The next block, which is on its way. */
  next?: Promise<void>
}
