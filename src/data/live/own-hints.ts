import type { Change } from './read-events'
import { isAlive } from './stale-time'

// The hints of an own change wait for the read that shows it, which is sent after them. Nobody else's are lost: all
// changes that are hinted by then are in its answer.

/** How long the read waits for the first hint. Some changes have none. */
const HINTS_MS = 1_000
/** After so long without a further one, all have come. */
const QUIET_MS = 200

interface OwnChange {
  tags: ReadonlySet<string>
  hints: Change[]
  /** Once it is made. */
  onHint?: () => void
  /** Takes hints that no read covers. */
  receive?: (hints: readonly Change[]) => void
}

const ownChanges = new Set<OwnChange>()

export type HeldHints = ReturnType<typeof holdHints>

/** Holds the hints of the rows of some tags, of which an own change begins, as those of a large one come before its end. */
export function holdHints(tags: ReadonlySet<string>) {
  const change: OwnChange = { tags, hints: [] }
  ownChanges.add(change)
  return {
    /** The change is made: it is read after its hints, if there is a stream, and they need no other read. */
    readAfter(read: (fetchStatus?: 'fetching') => void): void {
      const until = Date.now() + HINTS_MS
      let timer: ReturnType<typeof setTimeout> | undefined
      function end(): void {
        ownChanges.delete(change)
        read()
      }
      if (!isAlive()) return end()
      // Their answers would show the rows of before.
      read('fetching')
      change.onHint = () => {
        clearTimeout(timer)
        timer = setTimeout(end, Math.min(until - Date.now(), change.hints.length === 0 ? HINTS_MS : QUIET_MS))
      }
      change.onHint()
    },
    /** The change has failed. */
    giveBack(): void {
      ownChanges.delete(change)
      change.receive?.(change.hints)
    },
  }
}

/** The session ends. */
export function forgetHeld(): void {
  ownChanges.clear()
}

/**
 * Holds those of rows that an own change is about.
 * @param receive takes them if no read is to follow
 * @returns the others
 */
export function withoutHeld(changes: readonly Change[], receive: OwnChange['receive'] & object): Change[] {
  return changes.filter((hint) => {
    const change = [...ownChanges].find(({ tags }) => tags.has(hint.resource))
    change?.hints.push(hint)
    if (change) change.receive = receive
    change?.onHint?.()
    return change === undefined
  })
}
