import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BackupFailure } from '../store/backup.ts'
import { type BackupPlan, isBackupDue, listBackupTimes } from '../store/backup-folder.ts'

/** An attempt that failed is followed by another one after this. */
const RETRY_MS = 3_600_000
const LONGEST_MS = 24 * 3_600_000

const program = fileURLToPath(new URL('../store/backup-process.ts', import.meta.url))

/**
 * Backups of an SQLite database that are made by themselves. The folder says when the next one is due: then also a server
 * that starts again, and several of them, make it once.
 */
export function createBackups({ database, plan, now }: { database: string; plan: BackupPlan; now: () => number }) {
  const stopping = new AbortController()
  let isRunning = false
  let failedAt = -Infinity
  let failures = 0

  return {
    failures: (): number => failures,

    /** When the newest backup was begun, by whichever server. */
    lastGoodAt: async (): Promise<number | undefined> => (await listBackupTimes(plan.folder))[0],

    /**
     * @returns the file, where a backup was due and this server made it
     * @throws BackupFailure
     */
    async makeIfDue(): Promise<string | undefined> {
      const at = now()
      if (isRunning || (failedAt <= at && at - failedAt < RETRY_MS) || !(await isBackupDue(plan, at))) return undefined
      isRunning = true
      try {
        const timeout = Math.min(plan.everyMs, LONGEST_MS)
        const args = [program, JSON.stringify([database, plan, at])]
        const { stdout } = await promisify(execFile)(process.execPath, args, { timeout, signal: stopping.signal })
        return stdout || undefined
      } catch (error) {
        failedAt = at
        failures += 1
        const { stderr = '', killed } = error as { stderr?: string; killed?: boolean }
        throw new BackupFailure(stderr || (killed ? 'It took too long' : 'It was broken off'), { cause: error })
      } finally {
        isRunning = false
      }
    },

    /** Breaks off what is under way. */
    stop: () => stopping.abort(),
  }
}
