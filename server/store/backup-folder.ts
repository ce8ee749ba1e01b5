import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backUp } from './backup.ts'
import { lockDatabase } from './database-lock.ts'
import { isBusy } from './faults.ts'

/** Only files with such a name count, and are deleted. */
const NAME = /^steward-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db(\.\d+\.unfinished)?$/

/** A folder of backups, and which there should be. */
export interface BackupPlan {
  folder: string
  everyMs: number
  /** How many stay. */
  keep: number
}

/** The files that `makeBackupIfDue` made or began, newest first, with the time of each. A folder that is not there has none. */
async function findAll(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = names.flatMap((name) => {
    const [, day, hour, minute, second, unfinished] = NAME.exec(name) ?? []
    if (day === undefined) return []
    const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
    return [{ file: join(folder, name), at, finished: unfinished === undefined }]
  })
  return found.toSorted((a, b) => b.at - a.at)
}

/** When the backups in a folder were begun, newest first. */
export async function listBackupTimes(folder: string): Promise<number[]> {
  return (await findAll(folder)).flatMap(({ at, finished }) => (finished ? [at] : []))
}

/** Whether no backup is recent enough. A time to come is from a clock that was wrong. */
export async function isBackupDue({ folder, everyMs }: BackupPlan, now: number): Promise<boolean> {
  return (await listBackupTimes(folder)).every((at) => at > now || now - at >= everyMs)
}

/**
 * Backs an SQLite database up into the folder where that is due, and deletes the oldest backups and what earlier attempts left.
 * Processes take turns, and the second one finds nothing to do.
 * @returns the file; `undefined` when nothing is due, or another process is at it
 */
export async function makeBackupIfDue(database: string, plan: BackupPlan, now: number): Promise<string | undefined> {
  const unlock = lockOrGiveUp(database)
  if (!unlock) return undefined
  try {
    if (!(await isBackupDue(plan, now))) return undefined
    const { folder, keep } = plan
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const { file, finished } of await findAll(folder)) if (!finished) await rm(file)
    const made = join(folder, `steward-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`)
    backUp(database, made, { overwrite: false })
    // Where the clock was set back, the new one is not the newest.
    const others = (await findAll(folder)).filter(({ file }) => file !== made)
    for (const { file } of others.slice(keep - 1)) await rm(file)
    return made
  } finally {
    unlock()
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
