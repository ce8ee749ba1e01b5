// Runs a command with a PostgreSQL of its own: node scripts/with-postgres.ts npx vitest run --project server
// The database is in a temporary folder, listens on a free port of this machine alone, and is gone afterwards.
// The command finds its URL in TEST_DATABASE. Nothing in it survives a crash (fsync is off): for tests only.
import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { installWithApt } from './install-with-apt.ts'

const START_TIMEOUT_MS = 30_000
const USER = 'steward'

/** Where packages put the binaries: Debian and its relatives outside the PATH, newest version last. */
function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/pgsql/bin',
    '/opt/homebrew/opt/postgresql/bin',
    '/usr/local/opt/postgresql/bin',
  ]
  return folders.find((folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')))
}

/** The machine's binaries, or (root with apt) Debian's. */
function requireBinaries(): string {
  const found = findBinaries() ?? (installWithApt('postgresql') ? findBinaries() : undefined)
  if (found === undefined) throw new Error('No PostgreSQL here: install it, or put its initdb on the PATH')
  return found
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root; then it runs as the user of the package, or as nobody. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // No such user here: the next.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

async function waitUntilReady(url: string, postgres: ChildProcess): Promise<void> {
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 100) {
    if (postgres.exitCode !== null) break
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch {
      await sleep(100)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  throw new Error('PostgreSQL did not start')
}

async function main([command, ...args]: string[]): Promise<number> {
  if (command === undefined) throw new Error('Which command? node scripts/with-postgres.ts COMMAND [ARGUMENTS…]')
  const binaries = requireBinaries()
  const user = ordinaryUser()
  const folder = mkdtempSync(join(tmpdir(), 'steward-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const options: SpawnOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], ...user }
  let postgres: ChildProcess | undefined
  try {
    const data = join(folder, 'data')
    const initdb = [
      '--pgdata',
      data,
      '--username',
      USER,
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ]
    execFileSync(join(binaries, 'initdb'), initdb, options)
    const port = await freePort()
    const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200']
    const flags = settings.flatMap((setting) => ['-c', setting])
    const log = ['-c', 'log_min_messages=panic']
    postgres = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, ...flags, ...log],
      options,
    )
    const url = `postgres://${USER}@127.0.0.1:${port}/postgres`
    await waitUntilReady(url, postgres)
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE: url } })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    if (postgres && postgres.exitCode === null) {
      const gone = once(postgres, 'exit')
      // "Fast" shutdown: does not wait for clients.
      postgres.kill('SIGINT')
      await gone
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
