import { existsSync } from 'node:fs'
import { copyAll, CopyRefused } from '../operation/copy.ts'
import type { Config } from '../platform/config.ts'
import { DATABASE_IN_USE } from '../platform/database/database-lock.ts'
import { isBusy } from '../platform/database/errors.ts'
import { openPostgres, openSqlite, sqliteFile } from '../platform/database/open.ts'
import { keyFile } from '../platform/encryption-at-rest.ts'
import { CommandFailed, WrongUsage } from './explain-failure.ts'
import type { Terminal } from './terminal.ts'

/** No other process may use the SQLite database. @throws WrongUsage, CommandFailed */
export async function copyToPostgres(config: Config, { say, complain }: Omit<Terminal, 'askPassword'>): Promise<void> {
  const { databaseUrl } = config
  const file = sqliteFile(config)
  if (databaseUrl === undefined)
    throw new WrongUsage('Set DATABASE_URL, in the environment or .env, to the PostgreSQL database to copy to')
  const onError = (error: Error): void => complain(error.message)
  const source = await openSqlite(config, onError, { create: false, alone: true }).catch((error: unknown) => {
    throw isBusy(error) ? new CommandFailed(`${DATABASE_IN_USE}. Nothing was copied.`) : error
  })
  try {
    const target = await openPostgres(databaseUrl, { onError, connections: 1, patient: true })
    try {
      for (const { table, rows, checksum } of await copyAll(source, target)) {
        say(`${table.padEnd(16)}${String(rows).padStart(10)} rows  ${checksum.slice(0, 16)}`)
      }
    } finally {
      await target.close()
    }
    say(`Copied and verified. ${file} is unchanged. From now on, start the server with DATABASE_URL set.`)
    if (existsSync(config.files.folder)) say(`Files stay in ${config.files.folder}.`)
    if (config.secretKey === undefined && existsSync(keyFile(config)))
      say(`Set SECRET_KEY to the content of ${keyFile(config)}. Otherwise no code of an authenticator app works.`)
  } catch (error) {
    throw error instanceof CopyRefused ? new CommandFailed(`${error.message}. Nothing was copied.`) : error
  } finally {
    await source.close()
  }
}
