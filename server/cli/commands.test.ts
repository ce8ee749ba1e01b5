import { execFile } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite, sqliteFile } from '../platform/database/open.ts'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { openStore } from '../platform/database/store.ts'
import { newFolder } from '../test/new-folder.ts'

const DATABASE_URL = 'postgres://127.0.0.1:1/nothing-is-there'

async function run(args: string[], settings: Record<string, string>): Promise<[code: number, said: string]> {
  const program = join(import.meta.dirname, 'main.ts')
  try {
    const env = { ...process.env, DATABASE_URL: '', ...settings }
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env })
    return [0, stdout]
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return [code, stderr]
  }
}

test.each<[string[], Record<string, string>]>([
  [['admin', 'audit'], {}],
  [['admin', 'create-superuser', 'ada@example.com'], {}],
  [['admin', 'copy-to-postgres'], { DATABASE_URL }],
  [['backup', 'copy.db'], {}],
])('%j creates nothing where there is no database, and says so', async (args, settings) => {
  const DATA_DIR = join(newFolder(), 'data')
  const [code, said] = await run(args, { DATA_DIR, ...settings })
  const missing = [1, [expect.stringContaining(`There is no database at ${sqliteFile({ dataDir: DATA_DIR })}`), '']]
  expect([code, said.split('\n')]).toEqual(missing)
  expect(existsSync(DATA_DIR)).toBe(false)
})

test('a command does not make tables in an empty database', async () => {
  await expect(openStore(sqliteDialect(':memory:'), { create: false })).rejects.toThrow('The database is empty')
})

test('a command refuses a database that was put under the running server', async () => {
  const [dataDir, elsewhere] = [newFolder(), newFolder()]
  await (await openSqlite({ dataDir: elsewhere })).close()
  const running = await openSqlite({ dataDir })
  onTestFinished(() => running.close())
  renameSync(sqliteFile({ dataDir: elsewhere }), sqliteFile({ dataDir }))
  const [code, said] = await run(['admin', 'audit'], { DATA_DIR: dataDir })
  expect([code, said]).toEqual([1, expect.stringContaining('is another database than that of the running server')])
  const backup = await run(['backup', join(elsewhere, 'copy.db')], { DATA_DIR: dataDir })
  expect(backup).toEqual([1, expect.stringContaining('is another database than that of its log')])
})
