/** How a person has come to the log-in page. */
export interface Arrival {
  reason?: 'signed-up' | 'session-ended'
  /** To log in with. */
  email?: string
  /** Whose session has ended. */
  userId?: string
  /** The page that was asked for instead, to offer after the log-in. */
  wanted?: { pathname: string; search: object }
}

// In memory alone: the next person on this machine does not find it.
let arrival: Arrival = {}

export function readArrival(): Arrival {
  return arrival
}

export function setArrival(next: Arrival): void {
  arrival = next
}
