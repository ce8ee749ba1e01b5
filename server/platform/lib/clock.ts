/**
 * How far the clocks of servers may differ. What begins later than that was written by a clock that was wrong, and does
 * not count: otherwise a lock or a session of that time would last for years.
 */
const MAX_SKEW_MS = 5 * 60_000

/** What began after `after`, and not after `until`, is valid. */
export interface Period {
  after: number
  until: number
}

/** When something with this lifetime must have begun to be valid now. */
export function startsOf(now: number, lifetimeMs: number): Period {
  return { after: now - lifetimeMs, until: now + MAX_SKEW_MS }
}
