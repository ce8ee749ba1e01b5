import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDatabase } from '../platform/database/database-lock.ts'
import { isBusy } from '../platform/database/errors.ts'
import { withSqlite } from '../platform/database/with-sqlite.ts'
import { createFolder } from '../platform/lib/durable-files.ts'
import { filesBeside } from './backup-files.ts'
import { backUp } from './backup.ts'

const NAME = /^steward-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db(\.\d+\.unfinished|\.files)?$/

export interface BackupPlan {
  folder: string
  /** The folder of the contents of files; absent if they are in a bucket. */
  files?: string | undefined
  everyMs: number
  keep: number
}

/** Finished and unfinished backups in a folder, newest first. A missing folder has none. */
async function findAll(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = names.flatMap((name) => {
    const [, day, hour, minute, second, ending] = NAME.exec(name) ?? []
    // A folder of files is part of the backup of its database. Without the database, the folder is left from a failure.
    if (day === undefined || (ending === '.files' && names.includes(name.slice(0, -ending.length)))) return []
    const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
    return [{ file: join(folder, name), at, finished: ending === undefined }]
  })
  return found.toSorted((a, b) => b.at - a.at)
}

export async function listBackupTimes(folder: string): Promise<number[]> {
  return (await findAll(folder)).flatMap(({ at, finished }) => (finished ? [at] : []))
}

/** Whether no backup is recent enough. A backup with a future time does not count: the clock was wrong. */
export async function isBackupDue({ folder, everyMs }: BackupPlan, now: number): Promise<boolean> {
  return (await listBackupTimes(folder)).every((at) => at > now || now - at >= everyMs)
}

export interface MadeBackup {
  file: string
  warning: string | undefined
}

/** Also deletes old and unfinished backups. @returns `undefined` if none is due or another process is making one */
export async function makeBackupIfDue(
  database: string,
  plan: BackupPlan,
  now: number,
): Promise<MadeBackup | undefined> {
  const unlock = lockOrGiveUp(database)
  if (!unlock) return undefined
  try {
    if (!(await isBackupDue(plan, now))) return undefined
    const { folder, keep } = plan
    createFolder(folder)
    const all = await findAll(folder)
    for (const { file, finished } of all) if (!finished) await rm(file, { recursive: true })
    const made = join(folder, `steward-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`)
    const earlier = all.flatMap(({ file, finished }) => (finished ? filesBeside(file) : []))
    const missing = backUp(database, made, {
      overwrite: false,
      files: plan.files === undefined ? undefined : { files: plan.files, earlier },
    })
    // Compares names, because the new backup is not first in the list if the clock was set back.
    const others = (await findAll(folder)).map(({ file }) => file).filter((file) => file !== made)
    const accounts = countAccounts(made)
    const isFuller = (file: string): boolean => countAccounts(file) > 2 * accounts
    const surplus = others.slice(keep - 1)
    const kept = surplus.find(isFuller)
    for (const file of surplus.filter((one) => one !== kept)) {
      await rm(file)
      await rm(filesBeside(file), { recursive: true, force: true })
    }
    const fuller = kept ?? others.slice(0, 1).find(isFuller)
    const warnings = [missing, fuller && warningOf(accounts, fuller, fuller === kept)].filter(Boolean)
    return { file: made, warning: warnings.join('. ') || undefined }
  } finally {
    unlock()
  }
}

/** If a backup loses more than half of the accounts, it may be of a wrong database. */
function warningOf(accounts: number, fuller: string, isKept: boolean): string {
  const lost = `The backup has ${accounts} accounts, less than half of the ${countAccounts(fuller)} in ${fuller}`
  return isKept ? `${lost}, which is kept until you delete it` : lost
}

/** @returns 0 if the file cannot be read */
function countAccounts(file: string): number {
  try {
    const count = 'select count(*) from users'
    return withSqlite(file, { readonly: true }, (backup) => backup.prepare<[], number>(count).pluck().get() ?? 0)
  } catch {
    return 0
  }
}

function lockOrGiveUp(database: string): (() => void) | undefined {
  try {
    return lockDatabase(database, 'backup')
  } catch (error) {
    if (isBusy(error)) return undefined
    throw error
  }
}
