import { BackupFailure } from '../operation/backup.ts'
import { restore } from '../operation/restore.ts'
import type { Config } from '../platform/config.ts'
import { sqliteFile } from '../platform/database/open.ts'
import type { Terminal } from './terminal.ts'

const usage = `Usage: npm run restore -- FILE
  replaces the database with the backup in FILE and keeps the old one beside it; stop all servers first`

/** Runs the operator's restore command. @returns the exit code */
export function runRestoreCommand(
  [file, ...more]: string[],
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { say, complain }: Pick<Terminal, 'say' | 'complain'>,
): number {
  if (file === undefined || file.startsWith('-') || more.length > 0) {
    complain(usage)
    return 2
  }
  if (config.databaseUrl !== undefined) {
    complain(`The database is PostgreSQL; use its own tool:
  pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" ${file}`)
    return 1
  }
  try {
    const aside = restore(file, sqliteFile(config), new Date())
    say(`${file} is restored`)
    if (aside !== undefined) say(`The old database is ${aside}`)
    return 0
  } catch (error) {
    if (!(error instanceof BackupFailure)) throw error
    complain(`${error.message}. Nothing was changed.`)
    return 1
  }
}
