import { statSync } from 'node:fs'

/** How often a database in use is looked for. */
const LOOK_MS = 50

/** An open SQLite database that is no longer at its path. It has the code with which SQLite reports that without a log. */
export class DatabaseMoved extends Error {
  override name = 'DatabaseMoved'
  readonly code = 'SQLITE_READONLY_DBMOVED'

  constructor(file: string) {
    super(
      `${file} was moved, replaced or deleted, so nothing is written any more; stop the server and put the file back`,
    )
  }
}

/**
 * Looks whether the file at a path is still the one that was opened. SQLite would go on with the opened one, and processes
 * that are started later use the other one, with the log of the first.
 * @param onChange called when the file is gone, and when it is back
 */
export function watchPlace(file: string, onChange: (moved: DatabaseMoved | undefined) => void) {
  const opened = identify(file)
  let moved: DatabaseMoved | undefined
  let nextLook = 0

  function look(): DatabaseMoved | undefined {
    nextLook = performance.now() + LOOK_MS
    const isThere = identify(file) === opened
    if (isThere !== (moved === undefined)) {
      moved = isThere ? undefined : new DatabaseMoved(file)
      onChange(moved)
    }
    return moved
  }

  return {
    look,
    lookIfDue: (): DatabaseMoved | undefined => (performance.now() < nextLook ? moved : look()),
  }
}

/** Two files have the same identity only if they are the same, as long as one of them is open. */
function identify(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}
