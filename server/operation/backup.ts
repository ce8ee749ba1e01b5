import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasOwnLog } from '../platform/database/database-lock.ts'
import { removeId } from '../platform/database/sqlite-identity.ts'
import { withSqlite } from '../platform/database/with-sqlite.ts'
import { syncToDisk } from '../platform/lib/durable-files.ts'
import { copyFiles, filesBeside, removeUnnamedFiles, missingFilesWarning } from './backup-files.ts'

const BUSY_TIMEOUT_MS = 10_000

export class BackupFailure extends Error {
  override name = 'BackupFailure'
}

interface BackupOptions {
  overwrite: boolean
  files?: { files: string; earlier?: readonly string[] } | undefined
}

/**
 * Copies a database, which may be in use, to a file that only its owner can read. The copy is verified and synced to
 * the disk before it appears at `target`.
 * @param files the folder of the contents of files, and those of earlier backups
 * @returns a warning about contents that are missing
 * @throws BackupFailure if the database is missing, `target` exists, the write-ahead log beside the database belongs to
 * another database, or the copy is corrupt
 */
export function backUp(database: string, target: string, { overwrite, files }: BackupOptions): string | undefined {
  if (!existsSync(database)) throw new BackupFailure(`There is no database at ${database}`)
  if (!existsSync(dirname(target))) throw new BackupFailure(`There is no folder ${dirname(target)}`)
  if (isOfDatabase(target, database)) throw new BackupFailure('FILE is part of the database')
  if (!hasOwnLog(database)) throw new BackupFailure(`${database} is another database than that of its log`)
  if (!overwrite && existsSync(target)) throw new BackupFailure(`${target} already exists; --force overwrites it`)
  const unfinished = `${target}.${process.pid}.unfinished`
  try {
    // VACUUM INTO accepts an existing empty file, and keeps its mode.
    closeSync(openSync(unfinished, 'wx', 0o600))
    copy(database, unfinished)
    requireIntact(unfinished)
    syncToDisk(unfinished)
    const missing = files ? copyFiles(unfinished, files, filesBeside(target)) : 0
    renameSync(unfinished, target)
    syncToDisk(dirname(target))
    if (files) removeUnnamedFiles(target)
    return files && missingFilesWarning(missing, files.files)
  } finally {
    rmSync(unfinished, { force: true })
    if (files && !existsSync(target)) rmSync(filesBeside(target), { recursive: true, force: true })
  }
}

export function filesOfDatabase(database: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((end) => database + end)
}

/** Whether `target` is the lock file or a file of the database, by its path or as a link, even if it does not exist. */
function isOfDatabase(target: string, database: string): boolean {
  const place = join(realpathSync(dirname(target)), basename(target))
  const real = realpathSync(database)
  const files = [...filesOfDatabase(real), `${real}-lock`]
  return files.some((file) => place === file || isSameFile(target, file))
}

/** Compares device and inode, because links and case-insensitive file systems give one file several names. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** Copies in one read transaction. SQLite's online backup would start again after each write of another process. */
function copy(from: string, to: string): void {
  const options = { fileMustExist: true, timeout: BUSY_TIMEOUT_MS }
  withSqlite(from, options, (database) => database.prepare('vacuum into ?').run(to))
  withSqlite(to, {}, removeId)
}

/** @throws BackupFailure */
export function requireIntact(file: string): void {
  const found = withSqlite(file, { readonly: true }, (database) => database.pragma('integrity_check', { simple: true }))
  if (found !== 'ok') throw new BackupFailure(`${file} is damaged: ${String(found)}`)
}
