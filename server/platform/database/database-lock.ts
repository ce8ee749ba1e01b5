import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createFile } from '../lib/durable-files.ts'
import { isLogOfDatabase, requireSameDatabase } from './sqlite-identity.ts'
import { withSqlite } from './with-sqlite.ts'

/** How long to wait for the end of a restore. */
const PATIENCE_MS = 5_000

export const DATABASE_IN_USE = 'The database is in use; stop every server and command that uses it'

const begin = {
  /** Any number of processes, also while one of them makes a backup. */
  use: 'begin; select 1 from sqlite_master',
  'use-alone': 'begin exclusive',
  /** One process, also while others use the database. */
  backup: 'begin immediate',
  replace: 'begin exclusive',
}

const lockFile = (database: string): string => `${database}-lock`

/** How often this process uses each database. Opening and closing its file again would release SQLite's locks. */
const uses = new Map<string, number>()

/**
 * Locks an SQLite database for a purpose by SQLite's own lock of a second file beside it. This works for a damaged
 * database, too, and the operating system releases the lock when the process ends.
 * @returns a function that releases the lock
 * @throws an error SQLITE_BUSY if another process holds a conflicting lock, or SQLITE_CORRUPT if the database is to be
 * used but its write-ahead log belongs to another database
 */
export function lockDatabase(database: string, purpose: keyof typeof begin): () => void {
  createFile(lockFile(database))
  const lock = new Database(lockFile(database), { timeout: purpose === 'use' ? PATIENCE_MS : 0 })
  const isUse = purpose === 'use' || purpose === 'use-alone'
  const count = (change: number): unknown => isUse && uses.set(database, (uses.get(database) ?? 0) + change)
  try {
    if (isUse && !isUsedHere(database)) requireSameDatabase(database, lock)
    lock.exec(begin[purpose])
  } catch (error) {
    lock.close()
    throw error
  }
  count(1)
  return () => {
    if (lock.open) count(-1)
    lock.close()
  }
}

function isUsedHere(database: string): boolean {
  return (uses.get(database) ?? 0) > 0
}

/** Whether the write-ahead log beside the database, if any, belongs to it. Does not create the lock file. */
export function hasOwnLog(database: string): boolean {
  if (!existsSync(lockFile(database)) || isUsedHere(database)) return true
  return withSqlite(lockFile(database), { timeout: PATIENCE_MS }, (lock) => isLogOfDatabase(database, lock))
}
