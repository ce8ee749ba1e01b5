// npm run trial:proxies -- --clients 8 runs the examples of docs/deploy.md for nginx and Caddy in front of two servers. It
// checks pages, client addresses, large imports and exports, events, a passkey, and restarts while clients hold streams open.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '../scripts/ports.ts'
import { startPostgres } from '../scripts/throw-away-postgres.ts'
import { Api } from '../tests/support/api.ts'
import { createAuthenticator } from '../tests/support/authenticator.ts'
import { ask } from '../tests/support/http.ts'
import { newDataDir, removeData, type RunningServer, startServer } from '../tests/support/running-server.ts'
import { watchEvents } from '../tests/support/watch-events.ts'
import { readNumbers } from './support/arguments.ts'
import { createAuthority } from './support/certificates.ts'
import { startClients } from './support/clients.ts'
import { startCaddy, startNginx, type Place, type Proxy } from './support/proxy.ts'
import { Report } from './support/report.ts'

const { clients } = readNumbers({ clients: 8 })
/** Just below the 2 MiB that an import may have. */
const IMPORT_BYTES = 2 * 1024 * 1024 - 1024
const IMPORT_ROWS = 2000
const ITEMS = 300

const folder = mkdtempSync(join(tmpdir(), 'steward-proxies-'))
const authority = createAuthority(folder, 'proxies')
const identity = authority.identify('localhost')
setDefaultCACertificates([...getCACertificates('default'), authority.certificate])

async function startPair(ports: number[], publicUrl: string) {
  const dataDir = newDataDir()
  const settings = { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '6' }
  const startAt = (port: number) => startServer(dataDir, { PORT: String(port), ...settings })
  const servers: RunningServer[] = []
  for (const port of ports) servers.push(await startAt(port))
  return {
    async restart(): Promise<void> {
      for (const [index, port] of ports.entries()) {
        await servers[index]?.stop()
        servers[index] = await startAt(port)
        await sleep(3_000)
      }
    },

    async stop(): Promise<void> {
      await Promise.all(servers.map((server) => server.stop()))
      removeData(dataDir)
    },
  }
}

function importOf(full_name: string): object {
  const rows = Array.from({ length: IMPORT_ROWS }, (_, index) => ({ email: `person-${index}@example.com`, full_name }))
  return { rows, dry_run: true }
}

async function importUsers(url: string, { token }: Api): Promise<string[]> {
  const bytes = JSON.stringify(importOf('')).length
  // The names are too long, which makes each row an error, but the request a success.
  const json = importOf('x'.repeat(Math.floor((IMPORT_BYTES - bytes) / IMPORT_ROWS)))
  const { status, body } = await ask('POST', `${url}/api/v1/users/import`, { token, json })
  return status === 200 ? [] : [`${status} ${body.slice(0, 200)}`]
}

async function untilTold(isTold: () => boolean): Promise<void> {
  const begun = performance.now()
  while (!isTold() && performance.now() - begun < 1_000) await sleep(10)
}

async function watchItem(url: string, api: Api): Promise<string[]> {
  const stream = await watchEvents(url, api.token)
  // Hints of recent changes come together with this event.
  await untilTold(() => stream.text.includes('event: hello'))
  const { length } = stream.hints
  await api.createItem('Watched')
  await untilTold(() => stream.hints.length > length)
  stream.leave()
  return stream.hints.length === length ? [`no hint came, only ${JSON.stringify(stream.text)}`] : []
}

async function exportItems(url: string, api: Api): Promise<string[]> {
  for (let index = 0; index < ITEMS; index += 1) await api.createItem(`Item ${index}`, 'x'.repeat(5_000))
  const { status, body } = await ask('GET', `${url}/api/v1/items/export`, { token: api.token })
  const lines = body.trim().split('\r\n').length
  return status === 200 && lines === ITEMS + 1 ? [] : [`${status} with ${lines} lines`]
}

async function logInWithPasskey(url: string, { token }: Api): Promise<string[]> {
  const key = createAuthenticator()
  const post = async (path: string, options: { token?: string; json?: object }) => {
    const { status, body } = await ask('POST', `${url}/api/v1${path}`, options)
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    return JSON.parse(body) as { ceremony: string; options: { challenge: string; user: { id: string } } }
  }
  try {
    const added = await post('/users/me/passkeys/options', { token })
    const credential = key.create(added.options, { origin: url })
    await post('/users/me/passkeys', { token, json: { ceremony: added.ceremony, credential, name: 'Mine' } })
    const begun = await post('/login/passkey/options', {})
    const json = { ceremony: begun.ceremony, credential: key.get(begun.options, { origin: url }) }
    await post('/login/passkey', { json })
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

async function readPages(url: string, httpPort: number, { token }: Api): Promise<string[]> {
  const page = await ask('GET', `${url}/login`)
  const plain = await ask('GET', `http://localhost:${httpPort}/login`)
  const sessions = await ask('GET', `${url}/api/v1/users/me/sessions`, { token })
  return [
    ...(page.status === 200 && page.headers['strict-transport-security'] !== undefined ? [] : [`page ${page.status}`]),
    ...(plain.status === 308 ? [] : [`http: ${plain.status}`]),
    ...(/"address":"(127\.0\.0\.1|::1)"/.test(sessions.body) ? [] : [`sessions ${sessions.body}`]),
  ]
}

async function tryOut(name: string, startProxy: (place: Place) => Promise<Proxy>, mayLose: number): Promise<void> {
  const report = new Report(`${name}, ${clients} clients`)
  const [httpPort, httpsPort, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const url = `https://localhost:${httpsPort}`
  const pair = await startPair(ports, url)
  const files = { folder: mkdtempSync(join(folder, 'proxy-')), ...identity.files }
  let proxy: Proxy | undefined
  try {
    proxy = await startProxy({ ...files, httpPort, httpsPort, ports })
    await sleep(3_000)
    const api = await Api.ofSuperuser(url)
    report.promises({
      'pages, and the address of the client': await readPages(url, httpPort, api),
      'an import of the largest size': await importUsers(url, api),
      'an export': await exportItems(url, api),
      'hints of changes come within a second': await watchItem(url, api),
      'a passkey is added and logs in': await logInWithPasskey(url, api),
    })

    const crowd = await startClients(url, api, clients)
    const { writers, watchers } = crowd
    await sleep(2_000)
    await pair.restart()
    await crowd.end()
    const lost = writers.reduce((sum, writer) => sum + writer.lost, 0)
    report.figures({
      'requests during the restart': writers.flatMap(({ times }) => times).length,
      'of those lost': lost,
      'streams that ended': watchers.flatMap(({ gaps }) => gaps).length,
    })
    const promise = mayLose === 0 ? 'no request is lost' : 'at most those are lost that arrive at the moment of a stop'
    report.promises({
      [promise]: lost <= mayLose ? [] : [`${lost} answers 502`],
      'streams end in order': crowd.streams('broken') === 0 ? [] : [`${crowd.streams('broken')} broke off`],
    })
    crowd.reportTo(report)
  } finally {
    await proxy?.stop()
    await pair.stop()
  }
  report.print()
}

const postgres = await startPostgres()
process.env['TEST_DATABASE'] = postgres.url
try {
  // Only nginx has clients during the restart: it learns of a stopped server from a refused connection.
  await tryOut('nginx', startNginx, clients)
  await tryOut('Caddy', startCaddy, 0)
} finally {
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}
