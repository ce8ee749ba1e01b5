import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { databaseSettings } from './database.ts'

export const superuser = { email: 'root@example.com', password: 'the first superuser' }

export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  url: string
  dataDir: string
  /** Its process. */
  pid: number
  stop(): Promise<void>
}

/** Starts the real server, as a process of its own, on a free port. @param dataDir an earlier one's, to start that again */
export async function startServer(dataDir = mkdtempSync(join(tmpdir(), 'steward-'))): Promise<RunningServer> {
  const server = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      ...(await databaseSettings(dataDir)),
      LOG_LEVEL: 'warn',
      FIRST_SUPERUSER: superuser.email,
      FIRST_SUPERUSER_PASSWORD: superuser.password,
    },
  })
  const exited = once(server, 'exit')
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /^Steward is ready at (\S+)$/.exec(line)?.[1]
    if (url === undefined) continue
    server.stdout.resume()
    return {
      url,
      dataDir,
      pid: server.pid ?? 0,
      async stop() {
        server.kill('SIGTERM')
        await exited
      },
    }
  }
  throw new Error('The server left before it was ready')
}

export function removeData(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}
