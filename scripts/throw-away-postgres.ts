import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../tests/support/database.ts'
import { installWithApt, pathOf } from './install-with-apt.ts'
import { freePort } from './ports.ts'

const START_TIMEOUT_MS = 30_000
const USER = 'steward'
/** Bytes, including the write-ahead log. */
const MEMORY_NEEDED = 4e9

export interface Postgres {
  url: string
  readonly pid: number
  restart(): Promise<void>
  /** @param signal SIGINT closes connections and shuts down cleanly, SIGQUIT simulates a crash */
  halt(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>
  remove(): Promise<void>
}

interface PostgresOptions {
  identity?: ServerIdentity
  sync?: boolean
}

/** Both values are PEM texts. */
export interface ServerIdentity {
  certificate: string
  key: string
}

/** Starts PostgreSQL. Root installs it if there is none. @param options.sync whether commits wait for the disk */
export async function startPostgres({ identity, sync = false }: PostgresOptions = {}): Promise<Postgres> {
  const binaries = requireBinaries()
  const user = ordinaryUser()
  const folder = mkdtempSync(join(sync ? tmpdir() : fastFolder(), 'steward-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const options: SpawnOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], ...user }
  const data = join(folder, 'data')
  const files = { certificate: join(folder, 'server.pem'), key: join(folder, 'server.key') }
  const port = await freePort()
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`
  let postgres: ChildProcess | undefined

  async function run(): Promise<void> {
    const settings = ['max_connections=200']
    if (!sync) settings.push('fsync=off', 'full_page_writes=off')
    if (identity) settings.push('ssl=on', `ssl_cert_file=${files.certificate}`, `ssl_key_file=${files.key}`)
    const flags = [...settings, 'log_min_messages=panic'].flatMap((setting) => ['-c', setting])
    const place = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder]
    postgres = spawn(join(binaries, 'postgres'), [...place, ...flags], options)
    await waitUntilReady(url, postgres)
  }

  async function halt(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (!postgres || postgres.exitCode !== null) return
    const gone = once(postgres, 'exit')
    postgres.kill(signal)
    await gone
  }

  async function remove(): Promise<void> {
    await halt('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    const about = ['--auth', 'trust', '--encoding', 'UTF8', '--no-locale', '--no-sync']
    execFileSync(join(binaries, 'initdb'), ['--pgdata', data, '--username', USER, ...about], options)
    for (const part of identity ? (['certificate', 'key'] as const) : []) {
      writeFileSync(files[part], identity?.[part] ?? '', { mode: 0o600 })
      if (user) chownSync(files[part], user.uid, user.gid)
    }
    await run()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url,
    get pid() {
      if (postgres?.pid === undefined) throw new Error('PostgreSQL is not running')
      return postgres.pid
    },
    restart: run,
    halt,
    remove,
  }
}

/** Prefers memory if there is enough of it, because each test creates a database of 300 files. */
function fastFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > MEMORY_NEEDED ? memory : tmpdir()
}

function requireBinaries(): string {
  const found = findBinaries() ?? (installWithApt('postgresql') ? findBinaries() : undefined)
  if (found === undefined) throw new Error('Found no PostgreSQL: install it, or add the folder of its initdb to PATH')
  return found
}

function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    dirname(pathOf('initdb') ?? '/nowhere/initdb'),
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/pgsql/bin',
    '/opt/homebrew/opt/postgresql/bin',
    '/usr/local/opt/postgresql/bin',
  ]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))))
}

/** PostgreSQL refuses to run as root, so root starts it as `postgres` or `nobody`. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // This user does not exist.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody')
}

async function waitUntilReady(url: string, postgres: ChildProcess): Promise<void> {
  for (let waited = 0; waited < START_TIMEOUT_MS && postgres.exitCode === null; waited += 100) {
    const isReady = await withClient(url, async () => true).catch(() => false)
    if (isReady) return
    await sleep(100)
  }
  throw new Error('PostgreSQL did not start')
}
