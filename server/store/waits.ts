import type { Dialect } from 'kysely'

/** Waiting for a connection to the database, or for a turn on the only one. */
export interface Waits {
  /** How many wait now. */
  waiting: number
  /** How many had to wait so far, and for how long together. */
  count: number
  seconds: number
}

/** A dialect that counts waiting. */
export type CountingDialect = Dialect & { waits: Waits }

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
