/** Milliseconds after `DRAIN_SECONDS`. A container is killed after 10 s: docs/decisions/0017-stopping-and-starting.md. */
export const STOP_MS = {
  /** Later connections in the system's queue are reset. */
  listening: 100,
  /** Idle connections: a request may be in transit on any of them. */
  idleConnections: 1_100,
  /** Long reads, changes of many rows, and exports before they are sent. Their responses say so. */
  longWork: 2_500,
  jobs: 3_500,
  /** Connections whose response has not begun. */
  waitingConnections: 4_000,
  connections: 6_500,
  process: 8_000,
} as const
