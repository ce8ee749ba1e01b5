import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { mockAccounts, mockPassword } from '../tests/support/mock-accounts.ts'
import { isTaken } from './ports.ts'

const { mock, oidc } = parseArgs({
  options: { mock: { type: 'boolean', default: false }, oidc: { type: 'boolean', default: false } },
}).values

const apiPort = process.env.PORT || '8000'
const port = process.env.DEV_PORT || '5173'

// Mailed links, passkeys and redirects of the provider need the URL in the browser.
const publicUrl = process.env.PUBLIC_URL || `http://localhost:${port}`
const provider = oidc && !mock ? await startCompanyAccounts() : undefined

async function startCompanyAccounts() {
  const { startCompanyProvider } = await import('../tests/support/company-provider.ts')
  const people = {
    ada: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
    grace: { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' },
  }
  const started = await startCompanyProvider({ publicUrl, people })
  console.log(`The provider of company accounts is at ${started.issuer}, for ada@example.com and grace@example.com`)
  return started
}

function startPrograms(): ChildProcess[] {
  const vite = 'node_modules/vite/bin/vite.js'
  if (mock) return [start([vite, '--config', 'vite.mock.config.ts'])]
  const settings = {
    PUBLIC_URL: publicUrl,
    ...provider?.settings,
    LOG_FORMAT: process.env.LOG_FORMAT || 'text',
    // Short, because Vite holds the requests during a restart (vite.config.ts).
    DRAIN_SECONDS: process.env.DRAIN_SECONDS || '0.2',
  }
  return [
    // `--watch` alone stops watching files that git replaces.
    start(['--watch-path=server', '--watch-preserve-output', 'server/cli/main.ts', 'serve'], settings),
    start([vite, '--port', port, '--strictPort']),
  ]
}

function start(args: string[], settings?: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...settings } })
}

/** Ends a program and its children, which Windows would leave running. */
function end(program: ChildProcess): void {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(program.pid), '/t', '/f'])
  else program.kill()
}

if (mock) {
  const { superuser, user } = mockAccounts
  console.log(`The back end is a mock in the browser: a reload brings its demo data back.
Log in as ${superuser.email} (superuser) or ${user.email}; the password is ${mockPassword}
?mock=slow delays every response, ?mock=500 has all but the log-in fail, ?mock=off ends either`)
}
// Otherwise the page would use the API of the program on this port.
if (!mock && (await isTaken(Number(apiPort)))) {
  console.error(`Port ${apiPort} is in use, such as by npm start. Stop that, or set PORT to another port.`)
  process.exit(1)
}
const programs = startPrograms()
const ends = programs.map((program) => once(program, 'exit') as Promise<[number | null]>)
process.on('SIGTERM', () => programs.forEach(end))
// A terminal also sends SIGINT to the children, so this process only waits for them.
process.on('SIGINT', () => {})
const [code] = await Promise.race(ends)
programs.forEach(end)
await Promise.all(ends)
await provider?.close()
process.exitCode = code ?? 0
