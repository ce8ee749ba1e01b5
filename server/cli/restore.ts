import { BackupFailure } from '../operation/backup.ts'
import { restore } from '../operation/restore.ts'
import type { Config } from '../platform/config.ts'
import { sqliteFile } from '../platform/database/open.ts'
import { CommandFailed, WrongUsage } from './explain-failure.ts'
import type { Terminal } from './terminal.ts'

const usage = `Usage: npm run restore -- FILE
  replaces the database with the backup in FILE, and files from FILE.files, and keeps the old one beside it; stop all
  servers first`

/** @throws WrongUsage, CommandFailed */
export function runRestoreCommand(
  [file, ...more]: string[],
  config: Pick<Config, 'dataDir' | 'databaseUrl'> & { files: Pick<Config['files'], 'folder' | 'bucket'> },
  { say }: Pick<Terminal, 'say'>,
): void {
  if (file === undefined || file.startsWith('-') || more.length > 0) throw new WrongUsage(usage)
  if (config.databaseUrl !== undefined)
    throw new CommandFailed(`The database is PostgreSQL; use its own tool:
  pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" ${file}`)
  const { folder, bucket } = config.files
  try {
    const { aside, warning } = restore(file, sqliteFile(config), new Date(), bucket ? undefined : folder)
    say(`${file} is restored`)
    if (aside !== undefined) say(`The old database is ${aside}`)
    if (bucket) say(`The contents of files are those in ${bucket.place}`)
    if (warning !== undefined) say(warning)
  } catch (error) {
    throw error instanceof BackupFailure ? new CommandFailed(`${error.message}. Nothing was changed.`) : error
  }
}
