/**
 * When a stop ends what is still there, in milliseconds after `DRAIN_SECONDS`: docs/decisions/0017-stopping-and-starting.md.
 * A container is killed after 10 s.
 */
export const STOP_MS = {
  /** New connections. The system's queue has some, which the end of listening resets. */
  listening: 100,
  /** Idle connections: a request may be in transit on any of them. */
  idleConnections: 1_100,
  /** Long reads, exports that are not being sent and changes of many rows. Their responses say so. */
  longWork: 2_500,
  /** The wait for jobs in the background. */
  jobs: 3_500,
  /** Connections on which no response is being sent. */
  waitingConnections: 4_000,
  /** All connections. */
  connections: 6_500,
  /** The process, whatever is left to do. */
  process: 8_000,
} as const
