import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { databaseSettings } from './database.ts'

export const superuser = { email: 'root@example.com', password: 'the first superuser' }

export interface RunningServer {
  /** Without a slash at the end. */
  url: string
  dataDir: string
  process: ChildProcess
  /** What it has printed, including the log. */
  output: () => string
  /** Ends it, if it still runs. @returns its exit code */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** A server that was started and may not be ready. */
export interface StartedServer {
  process: ChildProcess
  /** What it has printed, including the log. */
  output: () => string
  /** Its URL; `undefined` when it exited before it was ready. */
  ready: Promise<string | undefined>
}

const command = [process.execPath, '--max-semi-space-size=8', 'server/cli/main.ts', 'serve']

/**
 * Starts a server process.
 * @param settings environment variables, in addition to those of the test
 * @param cwd of another copy of the project, where the command is run
 */
export function spawnServer(
  settings: Record<string, string>,
  [program = '', ...args] = command,
  cwd?: string,
): StartedServer {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Compiled code is kept for the next start.
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

/**
 * Starts a server on a free port, with a known first superuser.
 * @param dataDir of an earlier server, to restart that
 * @throws Error when it exits before it is ready
 */
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

/** Waits until a process ends. @returns its exit code; `null` if a signal ended it */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** An empty temporary folder for the data of a server. */
export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'steward-'))
}

export function removeData(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}
