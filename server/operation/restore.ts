import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { DATABASE_IN_USE, hasOwnLog, lockDatabase } from '../platform/database/database-lock.ts'
import { isBusy } from '../platform/database/errors.ts'
import { isStewardDatabase, NewerSchema, OlderSchema, requireUsable } from '../platform/database/migrate.ts'
import { withSqlite } from '../platform/database/with-sqlite.ts'
import { syncToDisk } from '../platform/lib/durable-files.ts'
import { copyFiles, filesBeside, missingFilesWarning } from './backup-files.ts'
import { BackupFailure, backUp, filesOfDatabase, requireIntact } from './backup.ts'

/**
 * Replaces a database atomically, even if power fails. A server that starts meanwhile waits.
 * @param at a time for the name of the old database, which is kept
 * @param files the folder to which missing contents of files are copied
 * @throws BackupFailure if the backup is damaged, not Steward's or newer than this version, or the database is in use
 */
export function restore(backup: string, database: string, at: Date, files?: string) {
  if (!existsSync(backup)) throw new BackupFailure(`There is no file ${backup}`)
  requireRestorable(backup)
  const isLogIts = hasOwnLog(database)
  const unlock = lockAlone(database)
  const restored = `${database}.restored`
  try {
    backUp(backup, restored, { overwrite: true })
    if (isLogIts) emptyLog(database)
    const from = filesBeside(backup)
    const missing = files === undefined ? 0 : copyFiles(restored, { files: from }, files)
    const aside = replace(database, restored, at)
    return { aside, warning: missingFilesWarning(missing, `${from} and ${files}`) }
  } finally {
    rmSync(restored, { force: true })
    unlock()
  }
}

function lockAlone(database: string): () => void {
  try {
    return lockDatabase(database, 'replace')
  } catch (error) {
    throw isBusy(error) ? new BackupFailure(DATABASE_IN_USE) : error
  }
}

function requireRestorable(file: string): void {
  const names = 'select name from kysely_migration'
  try {
    requireIntact(file)
    const applied = withSqlite(file, { readonly: true }, (from) => from.prepare<[], string>(names).pluck().all())
    if (!isStewardDatabase(applied)) throw notOurs(file)
    requireUsable(applied)
  } catch (error) {
    if (isSqliteError(error, 'NOTADB|ERROR')) throw notOurs(file)
    if (error instanceof NewerSchema) throw new BackupFailure(`${file} was made by a newer version of Steward`)
    if (error instanceof OlderSchema) throw new BackupFailure(`${file}: ${error.message}`)
    if (isSqliteError(error, 'CORRUPT')) throw new BackupFailure(`${file} is damaged: ${(error as Error).message}`)
    throw error
  }
}

function notOurs(file: string): BackupFailure {
  return new BackupFailure(`${file} is no backup of Steward`)
}

/**
 * Moves the log into the database file, so that one step can replace it. Fails if a server of an old version, which
 * takes no lock, has the database open. Ignores a damaged database.
 */
function emptyLog(file: string): void {
  if (!existsSync(file)) return
  try {
    withSqlite(file, { timeout: 0 }, (database) => database.pragma('journal_mode = delete'))
  } catch (error) {
    if (isBusy(error)) throw new BackupFailure(DATABASE_IN_USE)
    if (!isSqliteError(error, 'CORRUPT|NOTADB|IOERR')) throw error
  }
}

function replace(database: string, restored: string, at: Date): string | undefined {
  const folder = dirname(database)
  const aside = `${database}.before-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const [main = database, ...others] = filesOfDatabase(database)
  const there = [main, ...others].filter((file) => existsSync(file))
  for (const file of there) linkSync(file, aside + file.slice(database.length))
  syncToDisk(folder)
  // SQLite would apply the log of the old database to the new one.
  for (const file of others) rmSync(file, { force: true })
  syncToDisk(folder)
  renameSync(restored, main)
  syncToDisk(folder)
  return there.length === 0 ? undefined : aside
}

function isSqliteError(error: unknown, codes: string): boolean {
  return error instanceof Database.SqliteError && new RegExp(`^SQLITE_(${codes})`).test(error.code)
}
