import { parseArgs } from 'node:util'
import { BackupFailure, backUp } from '../operation/backup.ts'
import type { Config } from '../platform/config.ts'
import { sqliteFile } from '../platform/database/open.ts'
import type { Terminal } from './terminal.ts'

const usage = `Usage: npm run backup -- FILE [--force]
  copies the SQLite database to FILE; the server may be running
  --force  overwrites FILE`

/** Runs the operator's backup command. @returns the exit code */
export function runBackupCommand(
  args: string[],
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { say, complain }: Pick<Terminal, 'say' | 'complain'>,
): number {
  const [file, force] = readArguments(args)
  if (file === undefined) {
    complain(usage)
    return 2
  }
  if (config.databaseUrl !== undefined) {
    complain(`To back up PostgreSQL, use its own tool:
  pg_dump --format=custom --file=${file} "$DATABASE_URL"`)
    return 1
  }
  try {
    backUp(sqliteFile(config), file, { overwrite: force })
  } catch (error) {
    if (!(error instanceof BackupFailure)) throw error
    complain(error.message)
    return 1
  }
  say(`Backed up to ${file} and verified`)
  return 0
}

function readArguments(args: string[]): [file: string | undefined, force: boolean] {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { force: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    return [positionals.length === 1 ? positionals[0] : undefined, values.force]
  } catch {
    return [undefined, false]
  }
}
