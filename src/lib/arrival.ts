/** Why the log-in page is shown. */
export interface Arrival {
  reason?: 'signed-up' | 'session-ended'
  /** To log in with. */
  email?: string
  /** The user whose session has ended. */
  userId?: string
  /** The requested page, to offer after log-in. */
  wanted?: { pathname: string; search: object }
}

// Kept only in memory, so that the next user of this machine does not find it.
let arrival: Arrival = {}

export function readArrival(): Arrival {
  return arrival
}

export function setArrival(next: Arrival): void {
  arrival = next
}
