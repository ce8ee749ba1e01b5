import { serverBusy } from '../domain/errors.ts'

/** Reads of one account that may wait or run. */
const MAX_WAITING = 64

/**
 * Runs the reads of an account one at a time and lets other requests run in between. A page of long texts blocks the
 * server's thread for tens of milliseconds.
 */
export function createTurns() {
  const lines = new Map<string, { last: Promise<void>; waiting: number }>()

  /** @throws DomainError `busy` when too many wait for the same account */
  return async function inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(accountId) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= MAX_WAITING) throw serverBusy()
    lines.set(accountId, line)
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = line.last
    line.last = promise
    line.waiting += 1
    await before
    try {
      return await work()
    } finally {
      // After the response is serialized, which happens in the current turn of the event loop.
      setImmediate(() => {
        line.waiting -= 1
        if (line.waiting === 0) lines.delete(accountId)
        resolve()
      })
    }
  }
}
