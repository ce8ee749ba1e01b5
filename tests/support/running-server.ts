import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { databaseSettings } from './database.ts'

export const superuser = { email: 'root@example.com', password: 'the first superuser' }

export interface RunningServer {
  url: string
  dataDir: string
  process: ChildProcess
  /** Standard output and error so far, including the log. */
  output: () => string
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export interface StartedServer {
  process: ChildProcess
  output: () => string
  /** The URL, or `undefined` if the process exited before it was ready. */
  ready: Promise<string | undefined>
}

const command = [process.execPath, '--max-semi-space-size=8', 'server/cli/main.ts', 'serve']

/** @param settings environment variables to override @param cwd the folder of another copy of the project */
export function spawnServer(
  settings: Record<string, string>,
  [program = '', ...args] = command,
  cwd?: string,
): StartedServer {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The next server starts faster with the cached compiled code.
    env: { ...process.env, NODE_COMPILE_CACHE: 'node_modules/.cache/node', LOG_LEVEL: 'warn', ...settings },
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const { promise: ready, resolve } = Promise.withResolvers<string | undefined>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`
    const url = /^Steward is ready at (\S+)$/.exec(line)?.[1]
    if (url !== undefined) resolve(url)
  })
  child.once('close', () => resolve(undefined))
  return { process: child, output: () => output, ready }
}

/** Starts a server on a free port. @param dataDir of an earlier server, to restart it @throws Error if it exits early */
export async function startServer(
  dataDir = newDataDir(),
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  const server = spawnServer({
    PORT: '0',
    DATA_DIR: dataDir,
    ...(await databaseSettings(dataDir)),
    FIRST_SUPERUSER: superuser.email,
    FIRST_SUPERUSER_PASSWORD: superuser.password,
    ...settings,
  })
  const { process: child, output } = server
  const url = await server.ready
  if (url === undefined) throw new Error(`The server exited before it was ready:\n${output()}`)
  return {
    url,
    dataDir,
    process: child,
    output,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exitOf(child)
    },
  }
}

/** Waits until a process ends. @returns its exit code, or `null` if a signal ended it */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'steward-'))
}

export function removeData(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}
