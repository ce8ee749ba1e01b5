import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DatabaseMoved } from '../platform/database/sqlite-place.ts'
import type { Store } from '../platform/database/store.ts'
import { type Job, MINUTE } from '../platform/jobs/job.ts'
import { type BackupPlan, isBackupDue, listBackupTimes, type MadeBackup } from './backup-folder.ts'
import { bucketNote } from './backup-files.ts'
import { BackupFailure } from './backup.ts'

const RETRY_MS = 3_600_000
const LONGEST_MS = 24 * 3_600_000

const program = fileURLToPath(new URL('./backup-process.ts', import.meta.url))

export type Backups = ReturnType<typeof createBackups>

interface BackupsOptions {
  store: Pick<Store, 'requireInPlace'>
  database: string
  plan: BackupPlan
  now: () => number
}

/** Automatic backups of an SQLite database. The files in the folder determine when the next one is due. */
export function createBackups({ store, database, plan, now }: BackupsOptions) {
  let isRunning = false
  let failedAt = -Infinity
  let failures = 0

  return {
    failures: (): number => failures,

    lastGoodAt: async (): Promise<number | undefined> => (await listBackupTimes(plan.folder))[0],

    /** @returns the backup, if this server made one @throws BackupFailure, DatabaseMoved */
    async makeIfDue(signal?: AbortSignal): Promise<MadeBackup | undefined> {
      const at = now()
      if (isRunning || (failedAt <= at && at - failedAt < RETRY_MS) || !(await isBackupDue(plan, at))) return undefined
      isRunning = true
      try {
        store.requireInPlace()
        const timeout = Math.min(plan.everyMs, LONGEST_MS)
        const args = [program, JSON.stringify([database, plan, at])]
        const { stdout } = await promisify(execFile)(process.execPath, args, { timeout, ...(signal && { signal }) })
        const made = stdout === '' ? undefined : (JSON.parse(stdout) as MadeBackup)
        if (made?.warning !== undefined) failures += 1
        return made
      } catch (error) {
        failedAt = at
        failures += 1
        const { stderr = '', killed } = error as { stderr?: string; killed?: boolean }
        if (error instanceof DatabaseMoved) throw error
        throw new BackupFailure(stderr || (killed ? 'It took too long' : 'It was aborted'), { cause: error })
      } finally {
        isRunning = false
      }
    },
  }
}

interface Log {
  info: (facts: object, message: string) => void
  error: (facts: object, message: string) => void
}

/** Looks once a minute whether a backup is due. If several servers use the database, one of them makes the backup. */
export function backupJob(backups: Backups, log: Log): Job {
  return {
    name: 'backup',
    everyMs: MINUTE,
    onEachServer: true,
    async run({ config }, signal) {
      const made = await backups.makeIfDue(signal)
      if (!made) return
      log.info({ file: made.file }, 'backup made')
      const { bucket } = config.files
      if (bucket) log.info({ file: made.file }, bucketNote(bucket))
      if (made.warning !== undefined) log.error({ file: made.file }, made.warning)
    },
  }
}
