import { parseArgs } from 'node:util'
import { backUp } from '../operation/backup.ts'
import type { Config } from '../platform/config.ts'
import { sqliteFile } from '../platform/database/open.ts'
import { CommandFailed, WrongUsage } from './explain-failure.ts'
import type { Terminal } from './terminal.ts'

const usage = `Usage: npm run backup -- FILE [--force]
  copies the SQLite database to FILE; the server may be running
  --force  overwrites FILE`

/** @throws WrongUsage, CommandFailed, BackupFailure */
export function runBackupCommand(
  args: string[],
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { say }: Pick<Terminal, 'say'>,
): void {
  const [file, force] = readArguments(args)
  if (file === undefined) throw new WrongUsage(usage)
  if (config.databaseUrl !== undefined)
    throw new CommandFailed(`To back up PostgreSQL, use its own tool:
  pg_dump --format=custom --file=${file} "$DATABASE_URL"`)
  backUp(sqliteFile(config), file, { overwrite: force })
  say(`Backed up to ${file} and verified`)
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
