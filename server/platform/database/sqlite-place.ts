import { statSync } from 'node:fs'

const LOOK_MS = 50

/** An open SQLite database is not at its path any more. SQLite reports this code itself if there is no log file. */
export class DatabaseMoved extends Error {
  override name = 'DatabaseMoved'
  readonly code = 'SQLITE_READONLY_DBMOVED'

  constructor(file: string) {
    const what = `${file} was moved, replaced or deleted, so nothing is written any more`
    super(`${what}; stop the server and put the file back`)
  }
}

/**
 * Checks whether the file at a path is still the opened one. SQLite would keep using the opened file, while new
 * processes would use the other file with the log of the first.
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

/** While a file is open, no other file gets its inode number, so equal results mean the same file. */
function identify(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}
