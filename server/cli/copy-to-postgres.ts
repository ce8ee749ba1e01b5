import { existsSync } from 'node:fs'
import { copyAll, CopyRefused } from '../operation/copy.ts'
import type { Config } from '../platform/config.ts'
import { DATABASE_IN_USE } from '../platform/database/database-lock.ts'
import { isBusy } from '../platform/database/errors.ts'
import { openPostgres, openSqlite, sqliteFile } from '../platform/database/open.ts'
import { keyFile } from '../platform/encryption-at-rest.ts'
import type { Terminal } from './terminal.ts'

/**
 * Copies the SQLite database in `DATA_DIR`, which nothing else may use, to the empty PostgreSQL database of
 * `DATABASE_URL`. Both are migrated first.
 * @returns the exit code
 */
export async function copyToPostgres(config: Config, terminal: Terminal): Promise<number> {
  const { databaseUrl } = config
  const file = sqliteFile(config)
  if (databaseUrl === undefined) {
    terminal.complain('Set DATABASE_URL, in the environment or .env, to the PostgreSQL database to copy to')
    return 2
  }
  const options = { create: false, alone: true }
  const source = await openSqlite(config, (error) => terminal.complain(error.message), options).catch(
    (error: unknown) => {
      if (!isBusy(error)) throw error
    },
  )
  if (!source) {
    terminal.complain(`${DATABASE_IN_USE}. Nothing was copied.`)
    return 1
  }
  try {
    const target = await openPostgres(databaseUrl, {
      onError: (error) => terminal.complain(error.message),
      connections: 1,
      patient: true,
    })
    try {
      const copied = await copyAll(source, target)
      for (const { table, rows, checksum } of copied) {
        terminal.say(`${table.padEnd(16)}${String(rows).padStart(10)} rows  ${checksum.slice(0, 16)}`)
      }
      terminal.say(`Copied and verified. ${file} is unchanged. From now on, start the server with DATABASE_URL set.`)
      if (config.secretKey === undefined && existsSync(keyFile(config)))
        terminal.say(
          `Set SECRET_KEY to the content of ${keyFile(config)}. Otherwise no code of an authenticator app works.`,
        )
      return 0
    } finally {
      await target.close()
    }
  } catch (error) {
    if (!(error instanceof CopyRefused)) throw error
    terminal.complain(`${error.message}. Nothing was copied.`)
    return 1
  } finally {
    await source.close()
  }
}
