/** Times after `DRAIN_SECONDS`. A container is killed after 10 s: docs/decisions/0017-stopping-and-starting.md. */
export const STOP_MS = {
  /** The server stops listening. The operating system then resets connections that the server has not accepted. */
  listening: 100,
  /** Idle connections are closed. A request may be on its way on any of them until then. */
  idleConnections: 1_100,
  /** Long reads, changes of many rows, and exports that are not sent yet end with an error response. */
  longWork: 2_500,
  jobs: 3_500,
  /** Connections whose response has not begun are closed. */
  waitingConnections: 4_000,
  connections: 6_500,
  process: 8_000,
} as const
