// npm run bench:writes measures acknowledged item creations and log-ins a second, on SQLite.
// `--postgres`: on the PostgreSQL server of DATABASE_URL, or else on a temporary server that syncs to the disk.
// `--write`: updates the tables in docs/performance.md.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Api } from '../tests/support/api.ts'
import { tableOf, writeBetweenMarkers, writeJson } from './support/figures.ts'
import { type Load, measureLoad, medianLoad } from './support/load.ts'
import { describeMachine } from './support/machine.ts'
import { runAgainWithPostgres, withDatabase } from './support/postgres.ts'
import { type SeededServer, startSeededServer } from './support/seeded-server.ts'

const WRITERS = [1, 8, 64]
const ROWS = 1_000
const ROUNDS = 5
const SECONDS = 3
const PAUSE_MS = 3_000

const flag = { type: 'boolean', default: false } as const
const { values: flags } = parseArgs({ options: { postgres: flag, write: flag } })

interface Result {
  writers: number
  creations: Load
  logIns: Load
}

/** Every writer has their own account. */
async function measureCreations({ url, people }: SeededServer, writers: number): Promise<Load> {
  const clients: Api[] = []
  for (const person of people.slice(0, writers)) clients.push(await Api.logIn(url, person))
  return measureRounds(() => {
    const tokens = clients.map(({ token }) => token)
    return {
      url: `${url}/api/v1/items/`,
      method: 'POST',
      body: JSON.stringify({ title: 'Count the chairs', description: 'In every room' }),
      connections: writers,
      setupClient: (client) =>
        client.setHeaders({ 'content-type': 'application/json', authorization: `Bearer ${tokens.pop()}` }),
    }
  })
}

/** Each log-in is to the next account, because an account has a limit. */
function measureLogIns({ url, people }: SeededServer, writers: number): Promise<Load> {
  const requests = people.map(({ email, password }) => ({
    body: new URLSearchParams({ username: email, password }).toString(),
  }))
  return measureRounds(() => {
    let next = 0
    return {
      url: `${url}/api/v1/login/access-token`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      connections: writers,
      requests,
      setupClient: (client) => {
        next += 1
        client.setRequests([...requests.slice(next), ...requests.slice(0, next)])
      },
    }
  })
}

/** @returns the median round. The first round is a warm-up. */
async function measureRounds(load: () => Parameters<typeof measureLoad>[0]): Promise<Load> {
  const rounds: Load[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push(await measureLoad({ ...load(), duration: SECONDS }))
    // The server completes requests of the round.
    await sleep(PAUSE_MS)
  }
  return medianLoad(rounds.slice(1))
}

async function bench(database: string, databaseUrl: string | undefined): Promise<void> {
  const server = await startSeededServer(ROWS, databaseUrl)
  try {
    const results: Result[] = []
    for (const writers of WRITERS) {
      const creations = await measureCreations(server, writers)
      const logIns = await measureLogIns(server, writers)
      results.push({ writers, creations, logIns })
      console.error(
        `  ${writers} writers: ${creations.perSecond.toFixed(0)} items and ${logIns.perSecond.toFixed(0)} log-ins a second`,
      )
    }
    report(database, results)
  } finally {
    await server.stop()
  }
}

const cells = ({ perSecond, p50, p99 }: Load): string[] => [perSecond.toFixed(0), `${p50} / ${p99}`]

function report(database: string, results: Result[]): void {
  const rows = results.map(({ writers, creations, logIns }) => [String(writers), ...cells(creations), ...cells(logIns)])
  const head = ['Writers', 'Items/s', 'p50 / p99, ms', 'Log-ins/s', 'p50 / p99, ms']
  const where = describeMachine()
  const text = `${database}; ${where.machine}; Node ${where.node}; ${where.date}. The median of ${ROUNDS} rounds of ${SECONDS} s.\n\n${tableOf(head, rows)}`
  console.log(text)
  writeJson(`bench/results/writes-${database.toLowerCase()}.json`, { ...where, results })
  if (flags.write) writeBetweenMarkers('docs/performance.md', `bench:writes ${database}`, text)
}

const serverUrl = process.env['TEST_DATABASE'] ?? process.env['DATABASE_URL']
if (!flags.postgres) await bench('SQLite', undefined)
else if (!serverUrl) process.exitCode = runAgainWithPostgres('--sync')
else await withDatabase(serverUrl, (url) => bench('PostgreSQL', url))
