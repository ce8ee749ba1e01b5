/** How long what was read is shown without being read again. */
export const STALE_MS = 10_000
/** The same while hints tell of changes. Some fields have none, such as the last activity. */
const HINTED_MS = 2 * 60_000

let aliveUntil = 0

/** Takes the stream of events to be alive for so long. */
export function noteAlive(forMs: number): void {
  aliveUntil = Date.now() + forMs
}

/** Whether hints tell of changes. */
export function isAlive(): boolean {
  return Date.now() < aliveUntil
}

/** For queries of rows that have hints, all of which `live.ts` marks as stale. @param otherwise without a stream */
export const hintedStaleTime =
  (otherwise = STALE_MS) =>
  (): number =>
    isAlive() ? HINTED_MS : otherwise

/** The read that follows an own change. */
export interface OwnRead {
  /** Of all that the change makes stale. */
  tags: ReadonlySet<string>
  read: () => void
}

let hold: ((own: OwnRead) => void) | undefined

/** While hints are followed, what follows them sends the reads. @returns a function that ends this */
export function holdOwnReads(holding: (own: OwnRead) => void): () => void {
  hold = holding
  return () => (hold = undefined)
}

/** Sends the read of an own change soon, for its hints to come first, so that they need no other; without hints at once. */
export function readAfterHints(own: OwnRead): void {
  if (hold && isAlive()) hold(own)
  else own.read()
}
