import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { filesBeside, bucketNote } from '../operation/backup-files.ts'
import { backUp } from '../operation/backup.ts'
import type { Config } from '../platform/config.ts'
import { sqliteFile } from '../platform/database/open.ts'
import { CommandFailed, WrongUsage } from './explain-failure.ts'
import type { Terminal } from './terminal.ts'

const usage = `Usage: npm run backup -- FILE [--force]
  copies the SQLite database to FILE, and files to FILE.files; the server may be running
  --force  overwrites FILE`

/** @throws WrongUsage, CommandFailed, BackupFailure */
export function runBackupCommand(
  args: string[],
  config: Pick<Config, 'dataDir' | 'databaseUrl'> & { files: Pick<Config['files'], 'folder' | 'bucket'> },
  { say }: Pick<Terminal, 'say'>,
): void {
  const [file, force] = readArguments(args)
  if (file === undefined) throw new WrongUsage(usage)
  if (config.databaseUrl !== undefined)
    throw new CommandFailed(`To back up PostgreSQL, use its own tool:
  pg_dump --format=custom --file=${file} "$DATABASE_URL"`)
  const { folder, bucket } = config.files
  const warning = backUp(sqliteFile(config), file, { overwrite: force, files: bucket ? undefined : { files: folder } })
  say(`Backed up to ${file} and verified`)
  if (existsSync(filesBeside(file))) say(`The contents of its files are in ${filesBeside(file)}`)
  if (bucket) say(bucketNote(bucket))
  if (warning !== undefined) say(warning)
}

function readArguments(args: string[]): [file: string | undefined, force: boolean] {
  try {
    const options = { force: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return [positionals.length === 1 ? positionals[0] : undefined, values.force]
  } catch {
    return [undefined, false]
  }
}
