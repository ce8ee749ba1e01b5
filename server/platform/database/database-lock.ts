import Database from 'better-sqlite3'
import { createFile } from '../lib/durable-files.ts'

/** How long to wait for the end of a restore. */
const PATIENCE_MS = 5_000

const begin = {
  /** Shared, beside at most one backup. */
  use: 'begin; select 1 from sqlite_master',
  /** One at a time, beside any number of users. */
  backup: 'begin immediate',
  /** Exclusive. */
  replace: 'begin exclusive',
}

/**
 * Locks an SQLite database for a purpose. The lock is SQLite's own, on an empty file beside the database. It works for a
 * damaged database too, and the operating system releases it when the process ends.
 * @returns a function that releases the lock
 * @throws an error SQLITE_BUSY if another process holds a conflicting lock
 */
export function lockDatabase(database: string, purpose: keyof typeof begin): () => void {
  const file = `${database}-lock`
  createFile(file)
  const lock = new Database(file, { timeout: purpose === 'use' ? PATIENCE_MS : 0 })
  try {
    lock.exec(begin[purpose])
  } catch (error) {
    lock.close()
    throw error
  }
  return () => void lock.close()
}
