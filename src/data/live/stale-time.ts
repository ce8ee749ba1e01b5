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

/** Lets `holding` decide when to read what this tab has changed. @returns a function that removes `holding` */
export function holdOwnReads(holding: (own: OwnRead) => void): () => void {
  hold = holding
  return () => (hold = undefined)
}

/** Reads what this tab has changed when the hints of the change have come, so that they cause no second read. */
export function readAfterHints(own: OwnRead): void {
  if (hold) hold(own)
  else own.read()
}
