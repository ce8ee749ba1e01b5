/** How long data counts as fresh without a stream, in milliseconds. */
export const STALE_MS = 10_000
/** How long data counts as fresh with a stream. Some fields, such as the last activity, cause no hints. */
const HINTED_MS = 2 * 60_000

let aliveUntil = 0

export function extendLife(forMs: number): void {
  aliveUntil = Date.now() + forMs
}

export const isAlive = (): boolean => Date.now() < aliveUntil

export const hintedStaleTime =
  (otherwise = STALE_MS) =>
  (): number =>
    isAlive() ? HINTED_MS : otherwise

export interface OwnRead {
  tags: ReadonlySet<string>
  read: () => void
}

let hold: ((own: OwnRead) => void) | undefined

/** Passes the reads after own changes to a function that waits for hints. @returns a function that ends this */
export function holdOwnReads(holding: (own: OwnRead) => void): () => void {
  hold = holding
  return () => (hold = undefined)
}

/** Waits for the hints of an own change, so that they cause no second read. */
export function readAfterHints(own: OwnRead): void {
  if (hold && isAlive()) hold(own)
  else own.read()
}
