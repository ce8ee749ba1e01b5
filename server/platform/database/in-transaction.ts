import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionTimeout } from './unavailable.ts'

/** The transaction in which the present code runs. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Longer than a statement waits and runs on PostgreSQL. The other requests of SQLite wait for a transaction. */
const MAX_MS = 30_000

/** Runs the work of a transaction. @throws TransactionTimeout */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new TransactionTimeout()), MAX_MS)
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
export function requireNoTransaction(): void {
  if (current.getStore()?.isOpen) throw new Error('Inside of a transaction, queries must run on the transaction')
}
