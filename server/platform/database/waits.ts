import type { Dialect } from 'kysely'

/** Counts how long queries wait for a PostgreSQL connection or for SQLite's only one. */
export interface Waits {
  waiting: number
  /** Queries that got a connection, and the sum of their waiting times. */
  count: number
  seconds: number
}

export type CountingDialect = Dialect & {
  waits: Waits
  /** @throws DatabaseMoved */
  requireInPlace?: () => void
}

export function createWaits(): Waits {
  return { waiting: 0, count: 0, seconds: 0 }
}

export async function countWait<T>(waits: Waits, wait: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  waits.waiting += 1
  try {
    return await wait()
  } finally {
    waits.waiting -= 1
    waits.count += 1
    waits.seconds += (performance.now() - begun) / 1000
  }
}
