// node scripts/with-postgres.ts [--sync] COMMAND runs a command with a temporary PostgreSQL, whose URL is in TEST_DATABASE.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from './throw-away-postgres.ts'

async function main(given: string[]): Promise<number> {
  const sync = given[0] === '--sync'
  const [command, ...args] = sync ? given.slice(1) : given
  if (command === undefined) throw new Error('Usage: node scripts/with-postgres.ts [--sync] COMMAND [ARGUMENTS…]')
  const postgres = await startPostgres({ sync })
  try {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE: postgres.url } })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    await postgres.remove()
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
