import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import type Database from 'better-sqlite3'
import { createFile } from '../lib/durable-files.ts'
import { isBusy } from './errors.ts'
import { withSqlite } from './with-sqlite.ts'

// Each database has a random id in SQLite's `user_version`, and its lock file has the same id. SQLite would apply the
// write-ahead log of a killed server to any other database at the same path, so the ids are compared first.

const MAX_ID = 2 ** 31 - 1
const NO_ID = 0
/** The offset of `user_version` in a database file, which is read without SQLite because SQLite would apply the log. */
const ID_AT = 60
const ID_BYTES = 4

/**
 * Call it before this process opens the database. Gives a database without id a new id, and the lock file the id of the
 * database if no other process uses the lock file.
 * @param lock the lock file, opened
 * @throws an error SQLITE_CORRUPT if the log, or a running process, belongs to another database
 */
export function requireSameDatabase(file: string, lock: Database.Database): void {
  requireDatabaseOfLog(file)
  const differs = (): boolean => idIn(lock) !== NO_ID && idIn(lock) !== idInFile(file)
  // A restore may be replacing the database. Reading the id in the lock file waits for the end of the restore.
  const isAlone = beginAlone(lock) || (differs() && beginAlone(lock))
  try {
    if (differs()) {
      if (sizeOf(file) === 0) throw corrupt(`${file} is missing. Restore a backup, or begin again in an empty folder`)
      if (!isAlone) throw corrupt(`${file} is another database than that of the running server`)
      if (sizeOf(`${file}-wal`) > 0)
        throw corrupt(
          `${file} is another database than that of its write-ahead log. Restore a backup, or move ${file}-wal away`,
        )
    }
    if (isAlone) {
      if (differs() || idIn(lock) === NO_ID) setId(lock, takeId(file))
      lock.exec('commit')
    }
  } catch (error) {
    if (lock.inTransaction) lock.exec('rollback')
    throw error
  }
}

/** Whether the log beside a database, if any, may be applied to it. @param lock the lock file, opened */
export function isLogOfDatabase(file: string, lock: Database.Database): boolean {
  return sizeOf(`${file}-wal`) === 0 || idIn(lock) === NO_ID || idIn(lock) === idInFile(file)
}

/** Prevents SQLite from deleting a log whose database is missing. A new database gets its first page before a log. */
export function requireDatabaseOfLog(file: string): void {
  if (sizeOf(`${file}-wal`) === 0 || sizeOf(file) > 0) return
  const what = `${file} is missing or empty, but its write-ahead log is not`
  throw corrupt(`${what}. Restore a backup, or move ${file}-wal away`)
}

/** Removes the id from a copy, so that no write-ahead log belongs to the copy. */
export function removeId(database: Database.Database): void {
  setId(database, NO_ID)
}

function idIn(database: Database.Database): number {
  return database.pragma('user_version', { simple: true }) as number
}

function setId(database: Database.Database, id: number): void {
  database.pragma(`user_version = ${id}`)
}

function idInFile(file: string): number {
  if (sizeOf(file) < ID_AT + ID_BYTES) return NO_ID
  const bytes = Buffer.alloc(ID_BYTES)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, bytes, 0, ID_BYTES, ID_AT)
  } finally {
    closeSync(handle)
  }
  return bytes.readInt32BE()
}

/** Gives a database an id, unless it has one. @returns `NO_ID` if the id is still only in the write-ahead log */
function takeId(file: string): number {
  createFile(file)
  withSqlite(file, {}, (database) => {
    database.pragma('synchronous = FULL')
    if (idIn(database) === NO_ID) setId(database, randomInt(1, MAX_ID))
    database.pragma('wal_checkpoint(truncate)')
  })
  return idInFile(file)
}

function beginAlone(lock: Database.Database): boolean {
  const patience = lock.pragma('busy_timeout', { simple: true }) as number
  lock.pragma('busy_timeout = 0')
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  } finally {
    lock.pragma(`busy_timeout = ${patience}`)
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function corrupt(message: string): Error {
  return Object.assign(new Error(message), { code: 'SQLITE_CORRUPT' })
}
