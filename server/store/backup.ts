import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { syncToDisk } from '../lib/durable-files.ts'

const BUSY_TIMEOUT_MS = 10_000

/** What a backup came to, or why there is none. */
export class BackupFailure extends Error {
  override name = 'BackupFailure'
}

/**
 * Copies an SQLite database, as it is at one moment, into a new file that only its owner may read; whoever uses the
 * database goes on meanwhile. There is either a whole copy, checked and on the disk, or none.
 * @param overwrite whether `target` may be there already
 * @throws BackupFailure when there is no database, or `target` is there, or the copy is not sound
 */
export function backUp(database: string, target: string, { overwrite }: { overwrite: boolean }): void {
  if (!existsSync(database)) throw new BackupFailure(`There is no database at ${database}`)
  if (!existsSync(dirname(target))) throw new BackupFailure(`There is no folder ${dirname(target)}`)
  if (isOfDatabase(target, database)) throw new BackupFailure('That is the database itself')
  if (!overwrite && existsSync(target)) throw new BackupFailure(`${target} is there already; --force overwrites it`)
  const unfinished = `${target}.${process.pid}.unfinished`
  try {
    // VACUUM INTO writes into an empty file that is there, and leaves its mode as it is.
    closeSync(openSync(unfinished, 'wx', 0o600))
    copy(database, unfinished)
    requireSound(unfinished)
    syncToDisk(unfinished)
    renameSync(unfinished, target)
    syncToDisk(dirname(target))
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** The database file and SQLite's files beside it. */
export function filesOfDatabase(database: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((end) => database + end)
}

/** Whether `target` is a file of the database or its lock, existing or not, under any name. */
function isOfDatabase(target: string, database: string): boolean {
  const place = join(realpathSync(dirname(target)), basename(target))
  const real = realpathSync(database)
  const files = [...filesOfDatabase(real), `${real}-lock`]
  return files.some((file) => place === file || isSameFile(target, file))
}

/** Also by a link, or in other letters where the file system takes them for the same. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** In one read transaction. SQLite's online backup would begin anew with each write of another process. */
function copy(from: string, to: string): void {
  const database = new Database(from, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  try {
    database.prepare('vacuum into ?').run(to)
  } finally {
    database.close()
  }
}

/** @throws BackupFailure */
export function requireSound(file: string): void {
  const database = new Database(file, { readonly: true })
  try {
    const found = database.pragma('integrity_check', { simple: true })
    if (found !== 'ok') throw new BackupFailure(`${file} is damaged: ${String(found)}`)
  } finally {
    database.close()
  }
}
