import { spawnSync } from 'node:child_process'

/** Runs a benchmark. For PostgreSQL without DATABASE_URL, it starts this program again with a temporary server. */
export async function runOnDatabase(
  isPostgres: boolean,
  bench: (database: 'SQLite' | 'PostgreSQL') => Promise<void>,
  ...options: string[]
): Promise<void> {
  if (!isPostgres) return bench('SQLite')
  const url = process.env.TEST_DATABASE || process.env.DATABASE_URL
  if (url) {
    process.env.TEST_DATABASE = url
    return bench('PostgreSQL')
  }
  const command = ['scripts/with-postgres.ts', ...options, ...process.argv]
  process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1
}
