import Database from 'better-sqlite3'
import { ensurePrivateFile } from './private-file.ts'

/** For so long whoever wants to use the database waits for a restore that is under way. */
const PATIENCE_MS = 5_000

const begin = {
  /** For whoever uses the database: any number of them, beside one backup. */
  use: 'begin; select 1 from sqlite_master',
  /** For who makes a backup by itself: one at a time. */
  backup: 'begin immediate',
  /** For who replaces the files: nobody else. */
  replace: 'begin exclusive',
}

/**
 * Locks an SQLite database for a purpose. It is a lock of SQLite's own, on an empty file beside the database: it does not
 * depend on what state the database is in, and the system releases it when a process ends, in whatever way.
 * @returns what releases it
 * @throws an error SQLITE_BUSY when others hold it
 */
export function lockDatabase(database: string, purpose: keyof typeof begin): () => void {
  const file = `${database}-lock`
  ensurePrivateFile(file)
  const lock = new Database(file, { timeout: purpose === 'use' ? PATIENCE_MS : 0 })
  try {
    lock.exec(begin[purpose])
  } catch (error) {
    lock.close()
    throw error
  }
  return () => void lock.close()
}
