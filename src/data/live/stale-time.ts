/** How long data counts as fresh without a stream, in milliseconds. */
export const STALE_MS = 10_000
/** How long data counts as fresh while hints arrive. Some fields, such as the last activity, cause no hints. */
const HINTED_MS = 2 * 60_000

let aliveUntil = 0

/** Notes that the stream of events is alive for this time. */
export function noteAlive(forMs: number): void {
  aliveUntil = Date.now() + forMs
}

/** Whether hints of changes arrive. */
export function isAlive(): boolean {
  return Date.now() < aliveUntil
}

/** The stale time of queries whose rows have hints. @param otherwise the stale time without a stream */
export const hintedStaleTime =
  (otherwise = STALE_MS) =>
  (): number =>
    isAlive() ? HINTED_MS : otherwise

/** A read that follows an own change. */
export interface OwnRead {
  /** The tags of all queries that the change makes stale. */
  tags: ReadonlySet<string>
  read: () => void
}

let hold: ((own: OwnRead) => void) | undefined

/** Lets the follower of hints send the reads after own changes. @returns a function that ends this */
export function holdOwnReads(holding: (own: OwnRead) => void): () => void {
  hold = holding
  return () => (hold = undefined)
}

/**
 * Sends the read after an own change. While hints arrive, it waits for those of the change, so that they cause no
 * second read.
 */
export function readAfterHints(own: OwnRead): void {
  if (hold && isAlive()) hold(own)
  else own.read()
}
