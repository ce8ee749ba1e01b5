// npm run trial:stop -- --rounds 10 --clients 50
// Stops servers under load, starts several at once, and two on one data folder.
import { readdirSync } from 'node:fs'
import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../server/platform/database/store.ts'
import { buildSpaIfStale } from '../scripts/build-spa.ts'
import { startPostgres } from '../scripts/throw-away-postgres.ts'
import { Api } from '../tests/support/api.ts'
import { exitOf, newDataDir, removeData, spawnServer, startServer } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { ask } from '../tests/support/http.ts'
import { withStore } from './support/ledger.ts'
import { createRandom } from '../tests/support/random.ts'
import { Report, spread } from './support/report.ts'

const { rounds, clients, servers, seed } = readNumbers({ rounds: 10, clients: 50, servers: 8, seed: 1 })
const STOPS_WITHIN_MS = 5_000
/** A container is killed after 10 s. */
const STOPS_WITH_DOWNLOADS_WITHIN_MS = 8_000
const random = createRandom(seed)

async function stopUnderLoad(): Promise<void> {
  const lost: string[] = []
  const wrong: string[] = []
  const exits: string[] = []
  const times: number[] = []
  let answered = 0
  let last = 0
  let reset = 0
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = newDataDir()
    const server = await startServer(dataDir)
    const { token } = await Api.ofSuperuser(server.url)
    let signalled = false

    /** Sends requests on one connection, as browsers and proxies do, or (every fifth client) each on a new one. */
    async function client(index: number): Promise<void> {
      const keepAlive = index % 5 !== 0
      const agent = new Agent({ keepAlive, maxSockets: 1 })
      const calls = [
        () => ask('GET', `${server.url}/api/v1/items/`, { token, agent }),
        () => ask('POST', `${server.url}/api/v1/items/`, { token, agent, json: { title: 'x' } }),
        () => ask('POST', `${server.url}/api/v1/login/access-token`, { agent, form: { username: 'x', password: 'y' } }),
        () => ask('GET', `${server.url}/`, { agent }),
      ]
      for (let asked = 0; ; asked += 1) {
        const call = calls[(index + asked) % (index < 6 ? 4 : 2)]
        const wasSignalled = signalled
        try {
          const answer = await call?.()
          answered += 1
          if (wasSignalled) last += 1
          if (answer && ![200, 400, 429].includes(answer.status)) wrong.push(`${answer.status} ${answer.body}`)
          if (keepAlive && answer?.headers.connection === 'close') break
        } catch (error) {
          const { code } = error as { code?: string }
          // A connection's first request may arrive after the server has stopped listening.
          if (code === 'ECONNRESET' && (!keepAlive || asked === 0)) reset += 1
          else if (code !== 'ECONNREFUSED') lost.push(`round ${round}, call ${asked}: ${String(error)}`)
          break
        }
        // Connections that are kept are idle most of the time.
        if (index % 2 === 1) await sleep(random.between(0, 50))
      }
      agent.destroy()
    }

    const options = Array.from({ length: clients }, (_, index) => client(index))
    await sleep(random.between(300, 1000))
    signalled = true
    const begun = performance.now()
    const code = await server.stop()
    times.push(performance.now() - begun)
    if (code !== 0) exits.push(`exit ${code ?? server.process.signalCode}`)
    await Promise.all(options)
    removeData(dataDir)
  }
  report.figure('SIGTERM under load: rounds, clients', `${rounds}, ${clients}`)
  report.figure('responses, and of them after the signal', `${answered}, ${last}`)
  report.figure('new connections closed without a response', reset)
  report.figure('from SIGTERM to exit', spread(times))
  report.promise('every request on a kept connection gets a response', lost)
  report.promise('no response is an error', wrong)
  report.promise('the exit code is 0', exits)
  report.promise(
    `it exits within ${STOPS_WITHIN_MS} ms`,
    times.filter((ms) => ms > STOPS_WITHIN_MS).map((ms) => `${Math.round(ms)} ms`),
  )
}

/** Stops a server while a client has not read its export, another one waits, and a request is sent slowly. */
async function stopBesideDownload(): Promise<void> {
  const dataDir = newDataDir()
  await withStore(dataDir, ({ db }) => insertEntries(db, 100_000))
  const server = await startServer(dataDir)
  const { token } = await Api.ofSuperuser(server.url)
  const download = httpGet(`${server.url}/api/v1/audit/export`, { headers: { authorization: `Bearer ${token}` } })
  const [response] = (await once(download, 'response')) as [IncomingMessage]
  const cut = once(response, 'close').catch(() => undefined)
  const slow = connect(Number(new URL(server.url).port), '127.0.0.1')
  slow.on('error', () => undefined)
  slow.write('POST /api/v1/items/ HTTP/1.1\r\nHost: x\r\n')
  const begun = performance.now()
  const code = await server.stop()
  const ms = Math.round(performance.now() - begun)
  // Reads what has arrived.
  response.on('error', () => undefined).resume()
  await cut
  slow.destroy()
  removeData(dataDir)
  report.figure('from SIGTERM to exit, beside a download', `${ms} ms`)
  report.promise(`beside a download that nobody reads, it exits within ${STOPS_WITH_DOWNLOADS_WITHIN_MS} ms`, [
    ...(ms > STOPS_WITH_DOWNLOADS_WITHIN_MS ? [`${ms} ms`] : []),
    ...(code === 0 ? [] : [`exit code ${code}`]),
    ...(response.complete ? ['the download was complete: it is too small'] : []),
  ])
}

/** Adds entries to the audit log, whose export is then too large for the buffers of a connection. */
async function insertEntries(db: Store['db'], count: number): Promise<void> {
  await sql`with recursive number(value) as (select 1 union all select value + 1 from number where value < ${count})
    insert into audit (id, at, action, result, origin, details)
    select printf('%032d', value), value, 'log-in', 'ok', 'server', '{"x":"' || hex(zeroblob(100)) || '"}' from number`.execute(
    db,
  )
}

/** Starts all servers at once on an empty database. */
async function startTogether(on: 'SQLite' | 'PostgreSQL', databaseUrl: string | undefined): Promise<void> {
  const faults: string[] = []
  const dataDir = newDataDir()
  const settings = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }
  const started = Array.from({ length: servers }, () => spawnServer(settings))
  const urls = await Promise.all(started.map(({ ready }) => ready))
  for (const [index, url] of urls.entries()) if (url === undefined) faults.push(started[index]?.output() ?? '')
  const passwords = started.flatMap(({ output }) => /^Their password is (\S+)/m.exec(output())?.[1] ?? [])
  if (passwords.length !== 1) faults.push(`${passwords.length} servers printed a password`)
  for (const [index, url] of urls.entries()) {
    if (url === undefined) continue
    const form = { username: 'admin@example.com', password: passwords[0] ?? '' }
    const { status } = await ask('POST', `${url}/api/v1/login/access-token`, { form })
    if (status !== 200) faults.push(`server ${index} responds to the first superuser with ${status}`)
  }
  await withStore(
    dataDir,
    async ({ db }) => {
      const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
      const files = [...new Set(readdirSync('server/migrations').map((file) => file.split('.')[0] ?? ''))]
      if (rows.map(({ name }) => name).join() !== files.toSorted().join())
        faults.push('the migrations differ from the files')
      const superusers = await db.selectFrom('users').select('email').execute()
      if (superusers.length !== 1) faults.push(`${superusers.length} superusers`)
    },
    databaseUrl,
  )
  for (const { process: child } of started) child.kill('SIGTERM')
  const codes = await Promise.all(started.map(({ process: child }) => exitOf(child)))
  if (codes.some((code) => code !== 0)) faults.push(`exit codes ${codes.join(', ')}`)
  report.promise(`${servers} servers on one empty database, ${on}: each migration once, one superuser`, faults)
  removeData(dataDir)
}

async function startTwoInOnePlace(): Promise<void> {
  const faults: string[] = []
  const dataDir = newDataDir()
  const first = await startServer(dataDir)
  const second = await startServer(dataDir)
  const [one, other] = [await Api.ofSuperuser(first.url), await Api.ofSuperuser(second.url)]
  const writes = Array.from({ length: 100 }, (_, index) => (index % 2 ? one : other).createItem(`item ${index}`))
  await Promise.all(writes)
  const { body } = await ask('GET', `${first.url}/api/v1/items/`, { token: other.token })
  const { count } = JSON.parse(body) as { count: number }
  if (count !== 100) faults.push(`${count} of 100 items`)
  await second.stop()
  report.promise('two servers work on one folder, on two ports', faults)

  await first.stop()
  removeData(dataDir)
}

buildSpaIfStale()
const report = new Report('Stopping and starting')
const postgres = await startPostgres()
try {
  await stopUnderLoad()
  await stopBesideDownload()
  await startTogether('SQLite', undefined)
  await startTogether('PostgreSQL', postgres.url)
  await startTwoInOnePlace()
} finally {
  await postgres.remove()
}
report.print()
