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

/** Longer than PostgreSQL lets a statement wait and run. On SQLite, all other requests wait for a transaction. */
const MAX_MS = 30_000

/** @param isLong whether it may take any time. @throws TransactionTimeout */
export async function inTransaction<T>(of: Waits, work: () => Promise<T>, isLong = false): Promise<T> {
  const transaction = { of, isOpen: true, outer: current.getStore() }
  const late = Promise.withResolvers<never>()
  const timer = isLong ? undefined : setTimeout(() => late.reject(new TransactionTimeout()), MAX_MS)
  try {
    return await Promise.race([current.run(transaction, work), late.promise])
  } finally {
    clearTimeout(timer)
    // A timer that began in the transaction may still run.
    transaction.isOpen = false
  }
}

/**
 * Refuses another connection inside of a transaction. SQLite has only one, so each would wait for the other. On
 * PostgreSQL, the other one would not see the changes.
 */
export function requireNoTransaction(of: Waits): void {
  for (let open = current.getStore(); open; open = open.outer)
    if (open.isOpen && open.of === of) throw new Error('Inside of a transaction, queries must run on the transaction')
}
