import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../tests/support/api.ts'
import { exitOf, spawnServer } from '../tests/support/running-server.ts'

// npm run smoke builds and starts the product as `npm start` does, and logs in. It runs on any system and version of Node.

const PASSWORD = 'a password for the trial'
/** Includes the build. */
const START_TIMEOUT_MS = 180_000

/** Starts a server, reads its page and logs in. @param cwd of another copy of the project @throws Error if that fails */
export async function tryServer(command: string[], settings: Record<string, string>, cwd?: string): Promise<void> {
  const place = { HOST: '127.0.0.1', PORT: '0', FIRST_SUPERUSER_PASSWORD: PASSWORD }
  const server = spawnServer({ ...settings, ...place }, command, cwd)
  try {
    const url = await Promise.race([server.ready, sleep(START_TIMEOUT_MS, undefined, { ref: false })])
    if (url === undefined) throw new Error(`The server did not become ready:\n${server.output()}`)
    const page = await fetch(`${url}/login`)
    if (!(await page.text()).includes('<div id="root">')) throw new Error('The server does not serve the application')
    const api = await Api.logIn(url, { email: 'admin@example.com', password: PASSWORD })
    await api.get('/users/me')
  } finally {
    server.process.kill()
    await exitOf(server.process)
  }
}

if (import.meta.main) {
  const dataDir = mkdtempSync(join(tmpdir(), 'steward-smoke-'))
  const npmStart = ['-r', './scripts/node.cjs', '--import', './scripts/load-env.ts', 'scripts/start.ts']
  try {
    await tryServer([process.execPath, ...npmStart], { DATA_DIR: dataDir })
    console.log(`Node ${process.versions.node} on ${process.platform} builds and starts the product, and logs in`)
  } finally {
    // On Windows, files stay in use for a while after their process has ended.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}
