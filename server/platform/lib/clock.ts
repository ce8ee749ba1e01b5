/**
 * How far the clocks of servers may differ. A server with a wrong clock wrote anything that begins later, and it does
 * not count: otherwise its locks and sessions would last for years.
 */
const MAX_SKEW_MS = 5 * 60_000

export interface Period {
  after: number
  until: number
}

/** When something with this lifetime must have begun to be valid now. */
export function startsOf(now: number, lifetimeMs: number): Period {
  return { after: now - lifetimeMs, until: now + MAX_SKEW_MS }
}
