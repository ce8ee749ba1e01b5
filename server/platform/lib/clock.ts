/**
 * How far the clocks of servers may differ. A lock or session that begins later is from a server with a wrong clock. It
 * does not count, because it could last for years.
 */
const MAX_SKEW_MS = 5 * 60_000

export interface Period {
  after: number
  until: number
}

/** The period in which something with this lifetime must have begun to be valid now. */
export function startsOf(now: number, lifetimeMs: number): Period {
  return { after: now - lifetimeMs, until: now + MAX_SKEW_MS }
}
