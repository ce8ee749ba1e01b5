import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionTimeout } from './unavailable.ts'
import type { Waits } from './waits.ts'

interface Transaction {
  /** Identifies the database. A copy has transactions of two databases at the same time. */
  of: Waits
  isOpen: boolean
  outer: Transaction | undefined
}

const current = new AsyncLocalStorage<Transaction>()

/** The limit for a transaction. PostgreSQL ends a statement earlier. On SQLite, all other requests wait meanwhile. */
const MAX_MS = 30_000

/** @param isLong whether `work` may take longer than `MAX_MS` @throws TransactionTimeout */
export async function inTransaction<T>(of: Waits, work: () => Promise<T>, isLong = false): Promise<T> {
  const transaction = { of, isOpen: true, outer: current.getStore() }
  const late = Promise.withResolvers<never>()
  const timer = isLong ? undefined : setTimeout(() => late.reject(new TransactionTimeout()), MAX_MS)
  try {
    return await Promise.race([current.run(transaction, work), late.promise])
  } finally {
    clearTimeout(timer)
    // Code that the transaction has started may still run, for example in a timer.
    transaction.isOpen = false
  }
}

/**
 * Refuses queries on another connection inside of a transaction. SQLite has one connection, so the query would wait for
 * the transaction, which waits for the query. On PostgreSQL, the query would not see the changes of the transaction.
 */
export function requireNoTransaction(of: Waits): void {
  for (let open = current.getStore(); open; open = open.outer)
    if (open.isOpen && open.of === of) throw new Error('Inside of a transaction, queries must run on the transaction')
}
