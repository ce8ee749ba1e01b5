import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionTimeout } from './unavailable.ts'
import type { Waits } from './waits.ts'

interface Transaction {
  /** The waits of its database. Two databases have a transaction each while one is copied to the other. */
  of: Waits
  isOpen: boolean
  outer: Transaction | undefined
}

/** The transaction in which the present code runs. */
const current = new AsyncLocalStorage<Transaction>()

/** Longer than a statement waits and runs on PostgreSQL. The other requests of SQLite wait for a transaction. */
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
    // What began in it, such as a timer, may go on afterwards.
    transaction.isOpen = false
  }
}

/**
 * Refuses another connection inside of a transaction: SQLite has only one, so that each would wait for the other, and on
 * PostgreSQL it would not see what the transaction has changed.
 */
export function requireNoTransaction(of: Waits): void {
  for (let open = current.getStore(); open; open = open.outer)
    if (open.isOpen && open.of === of) throw new Error('Inside of a transaction, queries must run on the transaction')
}
