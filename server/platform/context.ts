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
  /** Aborted when the server stops, so that long work ends. */
  stopping: AbortSignal
  /** The queue of requests that change many rows. */
  bulks: FairQueue
  /** Attempts that this server has reserved in rate limits, by the key of the counter: server/limits/reserved.ts. */
  blocks: Map<string, Block>
  /** The number of audit entries that this server wrote, by action and result. */
  recorded: Map<string, { action: string; result: string; count: number }>
}

/** What all rules use. Each server has one context, which server/context.ts creates. */
export interface Context extends Services {
  store: Store
}

/** The context in a transaction. It has no store, because queries outside of the transaction would wait for its end. */
export interface TxContext extends Services {
  tx: Tx
}

export type AnyContext = Context | TxContext

export function dbOf(context: AnyContext): Db {
  return 'tx' in context ? context.tx : context.store.db
}

/** Attempts under a rate limit that a server has reserved in the database, so that it can allow them from memory. */
export interface Block {
  left: number
  endsAt: number
  /** Set when the limit has no more attempts until `endsAt`. */
  isLast?: boolean
  /** Set when the server allowed the attempts by itself because the database did not answer in time. */
  isUnshared?: boolean
  /** Set while the server reserves more attempts. */
  next?: Promise<void>
}
